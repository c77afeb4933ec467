import fc from 'fast-check';
import { samples } from '../../../../../test/support/random-numbers';
import { SessionQueue } from './session-queue.cjs';

/**
 * A session that only keeps book of what reached it, in which order, and whether it is in a transaction. A
 * group is a word: `begin` opens a transaction, `end` closes it, `part` leaves a query unfinished.
 */
function setUp(options: { idleInTransactionMs?: number } = {}) {
  const log: string[] = [];
  const idle: number[][] = [];
  const planned: (() => void)[] = [];
  const timers = new Set<{ callback: () => void; ms: number }>();
  let open = false;
  jest
    .spyOn(global, 'setImmediate')
    .mockImplementation(((callback: () => void) => planned.push(callback)) as never);
  jest.spyOn(global, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
    const timer = { callback, ms };
    timers.add(timer);
    return timer;
  }) as never);
  jest.spyOn(global, 'clearTimeout').mockImplementation(((timer: never) => timers.delete(timer)) as never);
  const queue = new SessionQueue(
    {
      run: (client, { bytes }) => {
        const text = Buffer.from(bytes).toString();
        log.push(`${client}:${text}`);
        if (text === 'begin' || text === 'part') open = true;
        if (text === 'end') open = false;
        return open;
      },
      rollBack: () => {
        log.push('rollback');
        open = false;
      },
    },
    (...what) => void idle.push(what),
    options.idleInTransactionMs,
  );
  return {
    queue,
    log,
    idle,
    timers,
    send: (client: number, ...texts: string[]) => {
      for (const text of texts) queue.add(client, { bytes: Buffer.from(text), partial: false });
    },
    /** One turn; false when none was planned. */
    turn: () => {
      const next = planned.shift();
      next?.();
      return next !== undefined;
    },
    settle: () => {
      for (let next = planned.shift(); next; next = planned.shift()) next();
    },
    timeIsOver: () => {
      const [timer] = [...timers];
      timers.delete(timer!);
      timer!.callback();
    },
  };
}

describe('SessionQueue', () => {
  afterEach(() => jest.restoreAllMocks());

  it('gives clients turns, one group each', () => {
    const { send, settle, log } = setUp();
    send(1, 'a', 'b', 'c');
    send(2, 'a', 'b');
    settle();
    expect(log).toEqual(['1:a', '2:a', '1:b', '2:b', '1:c']);
  });

  it('runs one group in a turn, so that what arrives meanwhile is taken in', () => {
    const { send, turn, log } = setUp();
    send(1, 'a', 'b');
    turn();
    send(2, 'a');
    while (turn());
    expect(log).toEqual(['1:a', '1:b', '2:a']);
    send(1, 'c', 'd', 'e');
    turn();
    send(2, 'b');
    while (turn());
    expect(log.slice(3)).toEqual(['1:c', '1:d', '2:b', '1:e']);
  });

  it('keeps the session for a client until its transaction ends', () => {
    const { send, settle, log } = setUp();
    send(1, 'begin');
    settle();
    send(2, 'a');
    settle();
    send(1, 'b', 'end', 'c');
    settle();
    expect(log).toEqual(['1:begin', '1:b', '1:end', '2:a', '1:c']);
  });

  it('keeps the session for a client in the middle of a query', () => {
    const { send, settle, log } = setUp();
    send(1, 'part');
    send(2, 'a');
    settle();
    expect(log).toEqual(['1:part']);
    send(1, 'end');
    settle();
    expect(log).toEqual(['1:part', '1:end', '2:a']);
  });

  describe('a client that goes away', () => {
    it('in a transaction is rolled back, and the others go on', () => {
      const { queue, send, settle, log } = setUp();
      send(1, 'begin');
      settle();
      send(1, 'a');
      send(2, 'b');
      queue.remove(1);
      settle();
      expect(log).toEqual(['1:begin', 'rollback', '2:b']);
    });

    it('while it waits has nothing run, and rolls nobody back', () => {
      const { queue, send, settle, log } = setUp();
      send(1, 'begin');
      settle();
      send(2, 'a');
      queue.remove(2);
      send(1, 'end');
      settle();
      expect(log).toEqual(['1:begin', '1:end']);
    });
  });

  describe('a client that is idle in a transaction', () => {
    it('is removed when others have waited long enough', () => {
      const { send, settle, log, idle, timers, timeIsOver } = setUp({ idleInTransactionMs: 70 });
      send(1, 'begin');
      settle();
      send(2, 'a');
      send(3, 'a');
      settle();
      expect([...timers].map(({ ms }) => ms)).toEqual([70]);
      timeIsOver();
      expect(idle).toEqual([[1, 2, 70]]);
      settle();
      expect(log).toEqual(['1:begin', 'rollback', '2:a', '3:a']);
      expect(timers.size).toBe(0);
    });

    it('may stay as long as nobody waits', () => {
      const { queue, send, settle, timers } = setUp();
      send(1, 'begin');
      settle();
      expect(timers.size).toBe(0);
      send(2, 'a');
      settle();
      expect([...timers].map(({ ms }) => ms)).toEqual([20_000]);
      queue.remove(2);
      expect(timers.size).toBe(0);
    });

    it('is not looked for where the next statement has arrived, or nobody is in a transaction', () => {
      const { send, turn, timers } = setUp();
      send(1, 'begin', 'end', 'a');
      send(2, 'a');
      for (let n = 0; n < 2; n++) {
        turn();
        expect(timers.size).toBe(0);
      }
    });

    it('starts anew with every statement', () => {
      const { send, settle, timers } = setUp();
      send(1, 'begin');
      send(2, 'a');
      settle();
      const [first] = [...timers];
      send(1, 'b');
      settle();
      const [second] = [...timers];
      expect(second).toBeDefined();
      expect(second).not.toBe(first);
      send(1, 'end');
      settle();
      expect(timers.size).toBe(0);
    });

    it('is not removed when its next statement has just arrived', () => {
      const { send, settle, log, idle, timeIsOver } = setUp();
      send(1, 'begin');
      send(2, 'a');
      settle();
      send(1, 'end');
      timeIsOver();
      settle();
      expect(idle).toEqual([]);
      expect(log).toEqual(['1:begin', '1:end', '2:a']);
    });
  });

  it('does work of its own between groups, never inside a transaction', () => {
    const { queue, send, settle, log } = setUp();
    send(1, 'begin');
    settle();
    queue.whenFree(() => void log.push('own work'));
    queue.whenFree(() => void log.push('more work'));
    settle();
    send(1, 'end', 'a');
    settle();
    expect(log).toEqual(['1:begin', '1:end', 'own work', '1:a', 'more work']);
    queue.whenFree(() => void log.push('work when nobody asks'));
    settle();
    expect(log.at(-1)).toBe('work when nobody asks');
  });

  it('lets those who wait have their turn before work of our own, and those who come later after it', () => {
    const { queue, send, turn, settle, log } = setUp();
    for (const client of [1, 2, 3]) send(client, 'a', 'b');
    queue.whenFree(() => {
      log.push('own work');
      queue.whenFree(() => void log.push('the next step'));
    });
    turn();
    send(4, 'a');
    settle();
    expect(log.slice(0, 4)).toEqual(['1:a', '2:a', '3:a', 'own work']);
    expect(log.slice(4)).toEqual(['1:b', '4:a', '2:b', '3:b', 'the next step']);
  });

  it('counts the groups it has run', () => {
    const { queue, send, settle } = setUp();
    send(1, 'a', 'b');
    settle();
    expect(queue.groupsRun).toBe(2);
  });

  it('when it closes, rolls back and runs nothing any more', () => {
    const { queue, send, settle, log, timers } = setUp();
    send(1, 'begin');
    settle();
    send(2, 'a');
    settle();
    queue.whenFree(() => void log.push('own work'));
    queue.close();
    send(2, 'b');
    queue.whenFree(() => void log.push('own work'));
    settle();
    expect(log).toEqual(['1:begin', 'rollback']);
    expect(timers.size).toBe(0);
  });

  it('when it closes with nothing open, has nothing to roll back', () => {
    const { queue, log } = setUp();
    queue.close();
    expect(log).toEqual([]);
  });

  it('does its own work also when those before it have left', () => {
    const { queue, send, settle, log } = setUp();
    send(1, 'a');
    queue.whenFree(() => void log.push('own work'));
    queue.remove(1);
    settle();
    expect(log).toEqual(['own work']);
  });

  it('loses nothing, keeps order and transactions together, and lets nobody wait for ever, whatever comes', () => {
    const client = fc.integer({ min: 1, max: 4 });
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'begin', 'end', 'part'), client) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('leave'), client) },
      { weight: 4, arbitrary: fc.tuple(fc.constant('turn'), client) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('own'), client) },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { queue, send, turn, settle, log } = setUp();
        const expected = new Map<number, string[]>();
        let ownWork = 0;
        const ran = (of: number) => log.filter((entry) => entry.startsWith(`${of}:`)).length;
        for (const [kind, who] of events) {
          const own = expected.get(who) ?? expected.set(who, []).get(who)!;
          if (kind === 'turn') turn();
          else if (kind === 'own') queue.whenFree(() => void (ownWork += 1));
          else if (kind === 'leave') {
            queue.remove(who);
            own.length = ran(who);
          } else {
            send(who, kind);
            own.push(kind);
          }
        }
        settle();
        for (const who of [1, 2, 3, 4]) {
          send(who, 'end');
          (expected.get(who) ?? expected.set(who, []).get(who)!).push('end');
        }
        // Who is in the middle of something goes first; then the rest.
        settle();
        expect(queue.waiting.size).toBe(0);

        let holder: string | undefined;
        for (const entry of log) {
          const [who, what] = entry.split(':');
          if (entry === 'rollback') holder = undefined;
          else {
            expect(holder ?? who).toBe(who);
            if (what === 'begin' || what === 'part') holder = who;
            if (what === 'end') holder = undefined;
          }
        }
        for (const [who, groups] of expected) {
          expect(log.filter((entry) => entry.startsWith(`${who}:`))).toEqual(
            groups.map((text) => `${who}:${text}`),
          );
        }
        expect(ownWork).toBe(events.filter(([kind]) => kind === 'own').length);
      }),
      { numRuns: samples(300) },
    );
  });
});
