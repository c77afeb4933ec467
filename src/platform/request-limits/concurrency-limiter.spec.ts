import { inRequest } from '../../../test/support/requests';
import { TooManyRequestsError, UnavailableError } from '../common/errors/service-error';
import { parseEnvironment } from '../config/environment';
import { ConcurrencyLimiter } from './concurrency-limiter';

const LIN = 'user|lin';

/** A request whose answer need not be taken. */
function sent<T extends { answer: Promise<unknown> }>(request: T): T {
  request.answer.catch(() => undefined);
  return request;
}

describe('ConcurrencyLimiter', () => {
  let limiter: ConcurrencyLimiter;
  let go: (() => void)[];

  beforeEach(() => {
    limiter = new ConcurrencyLimiter(
      parseEnvironment({ NODE_ENV: 'test', CLIENT_CONCURRENCY: '1', THROTTLE_LIMIT: '1' }),
    );
    go = [];
  });
  afterEach(() => jest.useRealTimers());

  /** Heavy work, of which the embedded database has one of a client at a time. */
  const work = () => new Promise<void>((resolve) => go.push(resolve));
  const heavy = (client = LIN) => sent(inRequest(client, () => limiter.run('search', work)));
  const settled = () => new Promise(setImmediate);

  it('does work in turn, and gives the permit back when it fails', async () => {
    const [first, second] = [heavy(), heavy()];
    await settled();
    expect([go.length, limiter.lanes.search.running]).toEqual([1, 1]);
    go[0]!();
    await first.answer;
    await settled();
    go[1]!();
    await second.answer;
    const failing = inRequest(LIN, () => limiter.run('search', () => Promise.reject(new Error('no'))));
    await expect(failing.answer).rejects.toThrow('no');
    expect(limiter.lanes.search.running).toBe(0);
  });

  it('needs no permit for what no request asked for', async () => {
    void heavy();
    const inProcess = limiter.run('search', () => Promise.resolve('done'));
    expect(await inProcess).toBe('done');
  });

  it('needs no second permit inside a lane of the database', async () => {
    const { answer } = inRequest(LIN, () =>
      limiter.run('search', () => limiter.run('write', () => Promise.resolve('done'))),
    );
    expect(await answer).toBe('done');
  });

  it.each(['receiving', 'sending'] as const)('%s files, an address has half of the permits', async (lane) => {
    const ask = (number: number, address: string) =>
      sent(inRequest(`user|${number}`, () => limiter.run(lane, work), address));
    for (let n = 0; n < 40; n += 1) ask(n, '192.0.2.1');
    await settled();
    expect(go).toHaveLength(16);
    ask(40, '192.0.2.2');
    await settled();
    expect(go).toHaveLength(17);
  });

  it('ends the wait of a client that has gone, whose work never begins', async () => {
    void heavy();
    const waiting = heavy();
    await settled();
    waiting.leave();
    await expect(waiting.answer).rejects.toBeInstanceOf(UnavailableError);
    go[0]!();
    await settled();
    expect(go).toHaveLength(1);
  });

  it('ends every wait within 30 s, all waits of a request together', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    void heavy();
    const twice = inRequest(LIN, async () => {
      await limiter.run('search', work);
      await limiter.run('search', work);
    });
    const refused = expect(twice.answer).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
    });
    await settled();
    await jest.advanceTimersByTimeAsync(20_000);
    void heavy();
    go[0]!();
    await settled();
    go[1]!();
    await settled();
    await jest.advanceTimersByTimeAsync(10_001);
    await refused;
  });

  it.each([
    [29, {}],
    [26, { DATABASE_URL: 'postgres://db/x' }],
    [20, { DATABASE_URL: 'postgres://db/x', DATABASE_LOCK_TIMEOUT: '9' }],
    [15, { DATABASE_URL: 'postgres://db/x', DATABASE_LOCK_TIMEOUT: '60' }],
  ])('waits %d s, so that a wait for a lock after it ends within 30 s: %j', async (seconds, settings) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    limiter = new ConcurrencyLimiter(parseEnvironment({ NODE_ENV: 'test', ...settings }));
    const send = () => sent(inRequest(LIN, () => limiter.run('uploads', work)));
    void send();
    let isOver = false;
    send().answer.catch(() => (isOver = true));
    await settled();
    await jest.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it('answers what does not fit into a queue with 429', async () => {
    const acquire = () =>
      sent(inRequest(LIN, () => limiter.acquire('requests', inRequest(LIN, settled).response)));
    await acquire().answer;
    for (let n = 0; n < 2; n += 1) void acquire();
    await expect(acquire().answer).rejects.toBeInstanceOf(TooManyRequestsError);
  });
});
