import { ServiceError, UnavailableError } from '../common/errors/service-error';
import { FairTurns, type TurnLimits } from './fair-turns';
import { Patience, REQUEST_PATIENCE_MS } from './patience';

/** Work that ends when it is told to; what began is noted in order. */
function start(limits: TurnLimits) {
  const turns = new FairTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (client: string, name: string, gone?: AbortSignal, patience?: Patience) =>
    turns.run({ client, gone, patience }, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)!(error);
    await settle();
  };
  return { turns, begun, run, end };
}

const settle = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

describe('fair turns', () => {
  // What a test leaves waiting must not give up while another one runs.
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('run so much at once, and not one more', async () => {
    const { turns, begun, run, end } = start({ limit: () => 2 });
    const results = ['1', '2', '3'].map((name) => run('a', name));
    await settle();
    expect(begun).toEqual(['1', '2']);
    expect(turns.load).toEqual({ running: 2, waiting: 1 });
    await end('1');
    expect(begun).toEqual(['1', '2', '3']);
    await end('2');
    expect(turns.load).toEqual({ running: 1, waiting: 0 });
    await end('3');
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  });

  it('that are free are there at once: nothing is to be waited for', async () => {
    const turns = new FairTurns({ limit: () => 1 });
    expect(turns.turn({ client: 'a' })).toBeUndefined();
    const second = turns.turn({ client: 'b' });
    expect(turns.load).toEqual({ running: 1, waiting: 1 });
    turns.end('a');
    expect(await second).toBeUndefined();
    expect(turns.load).toEqual({ running: 1, waiting: 0 });
    turns.end('b');
    expect(turns.size).toBe(0);
  });

  it('go round the clients: who asks for much waits for itself', async () => {
    const { begun, run, end } = start({ limit: () => 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run('a', name);
    for (const name of ['b1', 'b2']) void run('b', name);
    void run('c', 'c1');
    await settle();
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'];
    for (const name of order) {
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    expect(begun).toEqual(order);
  });

  it('leave something for others of what one client may have', async () => {
    const { begun, run, end } = start({ limit: () => 3, perClient: () => 2 });
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    void run('b', 'b1');
    void run('b', 'b2');
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end('a2');
    expect(begun.at(-1)).toBe('b2');
  });

  it('follow a limit that changes, and never come to a stand', async () => {
    const spare = { count: 0 };
    const { begun, run, end } = start({ limit: () => spare.count });
    for (const name of ['1', '2', '3', '4', '5']) void run('a', name);
    await settle();
    expect(begun).toEqual(['1']);
    spare.count = 3;
    await end('1');
    expect(begun).toEqual(['1', '2', '3', '4']);
    spare.count = 1;
    await end('2');
    await end('3');
    expect(begun).toHaveLength(4);
    await end('4');
    expect(begun).toHaveLength(5);
  });

  it('end with an error, too', async () => {
    const { turns, begun, run, end } = start({ limit: () => 1 });
    const failed = run('a', '1').catch((error: unknown) => error);
    void run('b', '2');
    await settle();
    await end('1', new Error('broken'));
    expect(await failed).toEqual(new Error('broken'));
    expect(begun).toEqual(['1', '2']);
    await end('2');
    expect(turns.size).toBe(0);
  });

  it('work that throws before it returns a promise ends its turn', async () => {
    const turns = new FairTurns({ limit: () => 1 });
    const thrown = turns.run({ client: 'a' }, () => {
      throw new Error('broken');
    });
    await expect(thrown).rejects.toThrow('broken');
    expect(turns.size).toBe(0);
  });

  it('are not waited for by who has gone', async () => {
    const { turns, begun, run, end } = start({ limit: () => 1 });
    const gone = new AbortController();
    void run('a', '1');
    const left = run('b', '2', gone.signal).catch((error: unknown) => error);
    void run('c', '3');
    await settle();
    gone.abort();
    expect(await left).toBeInstanceOf(UnavailableError);
    await end('1');
    expect(begun).toEqual(['1', '3']);
    await end('3');
    expect(turns.size).toBe(0);
    await expect(run('b', '4', gone.signal)).rejects.toBeInstanceOf(UnavailableError);
    expect(turns.size).toBe(0);
  });

  it('one who goes while the work runs does not end it', async () => {
    const { begun, run, end } = start({ limit: () => 1 });
    const gone = new AbortController();
    const result = run('a', '1', gone.signal);
    void run('a', '2');
    await settle();
    gone.abort();
    await settle();
    expect(begun).toEqual(['1']);
    await end('1');
    expect(await result).toBe('1');
    expect(begun).toEqual(['1', '2']);
  });

  it('one who goes while the work runs makes no room in the queue', async () => {
    const { run } = start({ limit: () => 1, queue: 1 });
    const gone = new AbortController();
    void run('a', '1', gone.signal);
    await settle();
    gone.abort();
    void run('a', '2');
    await expect(run('a', '3')).rejects.toBeInstanceOf(UnavailableError);
  });

  it('keep the rest of the queue of a client some of which has gone', async () => {
    const { begun, run, end } = start({ limit: () => 1 });
    const gone = new AbortController();
    void run('a', '1');
    run('b', '2', gone.signal).catch(() => undefined);
    void run('b', '3');
    await settle();
    gone.abort();
    await end('1');
    expect(begun).toEqual(['1', '3']);
  });

  it('have so many waiting, and the next is refused with the error of a full queue', async () => {
    class Full extends ServiceError {
      readonly status = 503;
    }
    const { run, end } = start({ limit: () => 1, queue: 2, full: () => new Full() });
    for (const name of ['1', '2', '3']) void run('a', name);
    await expect(run('b', '4')).rejects.toBeInstanceOf(Full);
    await end('1');
    void run('b', '5');
    await expect(run('b', '6')).rejects.toBeInstanceOf(Full);
  });

  it('a queue without an error of its own says that the service is busy', async () => {
    const { run } = start({ limit: () => 1, queue: 1 });
    for (const name of ['1', '2']) void run('a', name);
    await expect(run('b', '3')).rejects.toBeInstanceOf(UnavailableError);
  });

  it('whoever goes while waiting makes room in the queue, whoever goes while the work runs does not', async () => {
    const { run } = start({ limit: () => 1, queue: 1 });
    const [runs, waits] = [new AbortController(), new AbortController()];
    void run('a', '1', runs.signal);
    run('b', '2', waits.signal).catch(() => undefined);
    runs.abort();
    await expect(run('c', '3')).rejects.toBeInstanceOf(UnavailableError);
    waits.abort();
    void run('c', '4');
    await expect(run('c', '5')).rejects.toBeInstanceOf(UnavailableError);
  });

  describe('in time', () => {
    it('or not at all, and nothing is kept of who gave up', async () => {
      const { turns, begun, run, end } = start({ limit: () => 1 });
      void run('a', '1');
      const late = run('b', '2').catch((error: unknown) => error);
      let answered = false;
      void late.then(() => (answered = true));
      await jest.advanceTimersByTimeAsync(REQUEST_PATIENCE_MS - 1);
      expect(answered).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(await late).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
      await end('1');
      expect(begun).toEqual(['1']);
      expect(turns.size).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('of all waits of a request together; its work takes none of it', async () => {
      const { run, end } = start({ limit: () => 1 });
      const patience = new Patience();
      void run('a', '1');
      void run('b', '2', undefined, patience);
      await jest.advanceTimersByTimeAsync(20_000);
      await end('1');
      await jest.advanceTimersByTimeAsync(60_000);
      await end('2');
      void run('a', '3');
      let refused = false;
      run('b', '4', undefined, patience).catch(() => (refused = true));
      await jest.advanceTimersByTimeAsync(REQUEST_PATIENCE_MS - 20_001);
      expect(refused).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(refused).toBe(true);
      await end('3');
      expect(jest.getTimerCount()).toBe(0);
    });

    it('which has run out: a turn that is free is had all the same', async () => {
      const { begun, run, end } = start({ limit: () => 1 });
      const patience = new Patience();
      void run('a', '1');
      const late = run('b', '2', undefined, patience).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(REQUEST_PATIENCE_MS);
      expect(await late).toMatchObject({ status: 503 });
      await end('1');
      void run('b', '3', undefined, patience);
      await settle();
      expect(begun).toEqual(['1', '3']);
    });
  });
});
