import { ConnectionShares, PLACE_PATIENCE_MS } from './connection-shares';

describe('ConnectionShares', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const sharesOf = (group: number, all = Infinity, family = Infinity) =>
    new ConnectionShares({ group, family, all, reserved: new Set(['users']) });
  const enterAll = (shares: ConnectionShares, group: string, count: number) =>
    Array.from({ length: count }, () => shares.enter(group));

  it('gives each group so many places at once, whatever the others have', () => {
    const shares = sharesOf(2);
    expect(enterAll(shares, 'a', 2)).toEqual([undefined, undefined]);
    expect(enterAll(shares, 'b', 2)).toEqual([undefined, undefined]);
    expect(shares.enter('a')).toBeInstanceOf(Promise);
  });

  it('tells how many wait, of all groups', async () => {
    const shares = sharesOf(1);
    const waiting = [...enterAll(shares, 'a', 3), ...enterAll(shares, 'b', 2)];
    expect(shares.waitingCount).toBe(3);
    shares.leave('a');
    await waiting[1];
    expect(shares.waitingCount).toBe(2);
  });

  it('gives a place that is left to who has waited longest, then to who comes', async () => {
    const shares = sharesOf(1);
    const order: number[] = [];
    void shares.enter('a');
    const turns = [1, 2].map((number) => shares.enter('a')!.then(() => order.push(number)));
    shares.leave('a');
    await turns[0];
    expect(order).toEqual([1]);
    expect(shares.enter('a')).toBeInstanceOf(Promise);
    shares.leave('a');
    await turns[1];
    expect(order).toEqual([1, 2]);
    shares.leave('a');
    shares.leave('a');
    expect(shares.enter('a')).toBeUndefined();
    expect(shares.enter('a')).toBeInstanceOf(Promise);
  });

  it('ends a wait after its time, and that place goes to the next', async () => {
    const shares = sharesOf(1);
    void shares.enter('a');
    const early = shares.enter('a')!;
    let isRefused = false;
    const refused = expect(early.finally(() => (isRefused = true))).rejects.toMatchObject({
      status: 503,
      message: '数据库繁忙,请重试',
    });
    await jest.advanceTimersByTimeAsync(1);
    let late = false;
    void shares.enter('a')!.then(() => (late = true));
    await jest.advanceTimersByTimeAsync(PLACE_PATIENCE_MS - 2);
    expect(isRefused).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await refused;
    expect(late).toBe(false);
    shares.leave('a');
    await jest.advanceTimersByTimeAsync(0);
    expect(late).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has patience for as long as a connection is waited for', () => expect(PLACE_PATIENCE_MS).toBe(5000));

  it('keeps no process while somebody waits', () => {
    const timers = jest.spyOn(global, 'setTimeout');
    const shares = sharesOf(1);
    void shares.enter('a');
    void shares.enter('a')!;
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    shares.leave('a');
    timers.mockRestore();
  });

  it('forgets a group of which nobody waits any more', async () => {
    const shares = sharesOf(1);
    void shares.enter('a');
    const refused = expect(shares.enter('a')).rejects.toMatchObject({ status: 503 });
    await jest.advanceTimersByTimeAsync(PLACE_PATIENCE_MS);
    await refused;
    shares.leave('a');
    expect(shares.enter('a')).toBeUndefined();
  });

  it('gives the groups of a family together so many', async () => {
    const shares = sharesOf(2, Infinity, 3);
    expect(enterAll(shares, 'formulas/a', 2)).toEqual([undefined, undefined]);
    expect(shares.enter('formulas/a')).toBeInstanceOf(Promise);
    expect(shares.enter('formulas')).toBeUndefined();
    const turn = shares.enter('formulas/b');
    expect(turn).toBeInstanceOf(Promise);
    expect(enterAll(shares, 'others', 2)).toEqual([undefined, undefined]);
    // The place goes to the group that is not full.
    shares.leave('formulas');
    await turn;
    expect(shares.enter('formulas')).toBeInstanceOf(Promise);
  });

  it('gives all groups together so many, but what every request needs waits for none of them', async () => {
    const shares = sharesOf(2, 3);
    expect(enterAll(shares, 'a', 2)).toEqual([undefined, undefined]);
    expect(shares.enter('b')).toBeUndefined();
    const turn = shares.enter('c');
    expect(turn).toBeInstanceOf(Promise);
    expect(enterAll(shares, 'users', 2)).toEqual([undefined, undefined]);
    expect(shares.enter('users')).toBeInstanceOf(Promise);
    shares.leave('users');
    let isIn = false;
    void turn!.then(() => (isIn = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(isIn).toBe(false);
    shares.leave('b');
    await jest.advanceTimersByTimeAsync(0);
    expect(isIn).toBe(true);
    expect(shares.enter('b')).toBeInstanceOf(Promise);
  });

  it('lets groups that wait have their turns one after the other', async () => {
    const shares = sharesOf(2, 1);
    void shares.enter('a');
    const order: string[] = [];
    for (const group of ['b', 'b', 'c']) void shares.enter(group)!.then(() => order.push(group));
    for (const leaving of ['a', 'b', 'c', 'b']) {
      shares.leave(leaving);
      await jest.advanceTimersByTimeAsync(0);
    }
    expect(order).toEqual(['b', 'c', 'b']);
    expect(shares.enter('a')).toBeUndefined();
  });

  it('without a bound lets everybody through', () => {
    const shares = sharesOf(Infinity);
    expect(enterAll(shares, 'a', 100).every((turn) => turn === undefined)).toBe(true);
  });
});
