import { ManualClock } from '../../../test/support/clock';
import type { DatabaseService, Statement } from '../database/database.service';
import { CHECK_TIMEOUT_MS } from './cached-check';
import { HealthService } from './health.service';

interface Ping {
  answer: (readOnly?: boolean) => void;
  fail: (error: Error) => void;
}

/** Health of a database that answers only when told to. */
function start() {
  const pings: Ping[] = [];
  const statements: Statement[] = [];
  const query = (statement: Statement) =>
    new Promise<unknown[]>((resolve, reject) => {
      statements.push(statement);
      pings.push({ answer: (readOnly = false) => resolve([{ readOnly }]), fail: reject });
    });
  const clock = new ManualClock();
  const health = new HealthService({ query } as unknown as DatabaseService, clock);
  const pass = (ms: number) => {
    clock.advance(ms);
    return jest.advanceTimersByTimeAsync(ms);
  };
  return { health, pings, statements, pass, clock };
}

describe('HealthService', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('says no when the database is silent for too long, to all who asked, and sent it one ping', async () => {
    const { health, pings, pass } = start();
    const answered: boolean[] = [];
    const ask = () => void health.databaseAnswers().then((answer) => answered.push(answer));

    ask();
    ask();
    await pass(CHECK_TIMEOUT_MS - 1);
    ask();
    expect(answered).toEqual([]);
    await pass(1);

    expect(answered).toEqual([false, false, false]);
    expect(pings).toHaveLength(1);
  });

  it('believes an answer for a second, good or bad, and asks anew after it', async () => {
    const { health, pings, pass } = start();
    const first = health.databaseAnswers();
    pings[0]!.answer();
    expect(await first).toBe(true);
    await pass(999);
    expect(await health.databaseAnswers()).toBe(true);
    expect(pings).toHaveLength(1);

    await pass(1);
    const second = health.databaseAnswers();
    expect(pings).toHaveLength(2);
    pings[1]!.fail(new Error('lost'));
    expect(await second).toBe(false);
    await pass(999);
    expect(await health.databaseAnswers()).toBe(false);
    expect(pings).toHaveLength(2);
  });

  it('says no to an answer that says nothing', async () => {
    const query = () => Promise.resolve([]);
    const health = new HealthService({ query } as unknown as DatabaseService, new ManualClock());
    expect(await health.databaseAnswers()).toBe(false);
  });

  it('says no to a database that only reads', async () => {
    const { health, pings } = start();
    const answer = health.databaseAnswers();
    pings[0]!.answer(true);
    expect(await answer).toBe(false);
  });

  it('does not mind that somebody sets the clock, either way', async () => {
    const { health, pings, pass, clock } = start();
    void health.databaseAnswers();
    pings[0]!.answer();
    await pass(0);
    clock.step(86_400_000);
    expect(await health.databaseAnswers()).toBe(true);
    expect(pings).toHaveLength(1);
    clock.step(-2 * 86_400_000);
    await pass(1000);
    void health.databaseAnswers();
    expect(pings).toHaveLength(2);
  });

  it('sends no second ping while one is under way, however long that takes', async () => {
    const { health, pings, pass } = start();
    const first = health.databaseAnswers();
    await pass(CHECK_TIMEOUT_MS - 1);
    const second = health.databaseAnswers();
    expect(pings).toHaveLength(1);
    pings[0]!.answer();
    expect(await Promise.all([first, second])).toEqual([true, true]);
  });

  it('has the connection given up after the same time', () => {
    const { health, statements } = start();
    void health.databaseAnswers();
    // One ping is many requests': it must not end with the one that asked first.
    expect(statements).toMatchObject([{ name: 'health.ping', timeoutMs: CHECK_TIMEOUT_MS, shared: true }]);
    expect(CHECK_TIMEOUT_MS).toBe(1800);
  });

  it('asks again after a timeout, once the ping has ended, and believes the answer', async () => {
    const { health, pings, pass } = start();
    const before = health.databaseAnswers();
    await pass(CHECK_TIMEOUT_MS);
    expect(await before).toBe(false);
    pings[0]!.fail(new Error('timed out'));
    await pass(0);

    const after = health.databaseAnswers();
    expect(pings).toHaveLength(2);
    pings[1]!.answer();
    expect(await after).toBe(true);
  });

  it('does not mind an answer or an error that comes after the silence', async () => {
    const { health, pings, pass } = start();
    for (const late of ['answer', 'fail'] as const) {
      const answer = health.databaseAnswers();
      await pass(CHECK_TIMEOUT_MS);
      const ping = pings.at(-1)!;
      if (late === 'answer') ping.answer();
      else ping.fail(new Error('lost'));
      await pass(0);
      expect(await answer).toBe(false);
    }
  });

  it('says no at once when the ping fails', async () => {
    const { health, pings } = start();
    const answer = health.databaseAnswers();
    pings[0]!.fail(new Error('lost'));
    expect(await answer).toBe(false);
  });

  it('keeps no timer after an answer, and none that keeps the process', async () => {
    const timers = jest.spyOn(global, 'setTimeout');
    const { health, pings } = start();
    const answer = health.databaseAnswers();
    const [timer] = timers.mock.results;
    expect((timer?.value as NodeJS.Timeout).hasRef()).toBe(false);
    pings[0]!.answer();
    expect(await answer).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
