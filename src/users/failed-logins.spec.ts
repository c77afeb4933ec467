import { setTimeout as sleep } from 'node:timers/promises';
import { ManualClock } from '../../test/support/clock';
import { inRequest } from '../../test/support/requests';
import { keepClient } from '../platform/http/client';
import { requestContext } from '../platform/common/request-context';
import { ConcurrencyLimiter } from '../platform/request-limits/concurrency-limiter';
import { parseEnvironment } from '../platform/config/environment';
import { Redis } from '../platform/redis/redis.module';
import { FAILED_LOGINS, FailedLogins, LOGIN_WINDOW_SECONDS } from './failed-logins';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(() => Promise.resolve()) }));

const HERE = 'address|10.0.0.1';
const THERE = 'address|10.0.0.2';
const elsewhere = (n: number) => `address|10.1.0.${n}`;

const right = () => Promise.resolve('lin');
const wrong = () => Promise.resolve(undefined);

const REFUSAL = { status: 429, message: '请求过于频繁,请稍后再试' };

describe('FailedLogins', () => {
  let clock: ManualClock;
  let logins: FailedLogins;
  const delays = () => jest.mocked(sleep).mock.calls.map(([ms]) => ms);

  beforeEach(() => {
    clock = new ManualClock();
    jest.mocked(sleep).mockClear();
    const environment = parseEnvironment({ NODE_ENV: 'test' });
    logins = new FailedLogins(new ConcurrencyLimiter(environment), clock, new Redis(undefined));
  });

  const attempt = (
    verify: () => Promise<string | undefined>,
    client = HERE,
    username = 'lin',
  ): Promise<string | undefined> => inRequest(client, () => logins.attempt(username, verify)).answer;
  const fail = async (times: number, client = HERE, username = 'lin') => {
    for (let n = 0; n < times; n++) expect(await attempt(wrong, client, username)).toBeUndefined();
  };

  it('are ten in a window; then nothing is tried, not even the right password', async () => {
    await fail(FAILED_LOGINS);
    const verify = jest.fn(right);
    const waits = delays().length;
    await expect(attempt(verify)).rejects.toMatchObject(REFUSAL);
    clock.advance(20_500);
    await expect(attempt(verify)).rejects.toMatchObject({
      ...REFUSAL,
      headers: {
        'Retry-After': '40',
        'X-RateLimit-Limit': '10',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '40',
      },
    });
    expect(verify).not.toHaveBeenCalled();
    expect(delays()).toHaveLength(waits);
  });

  it('count for the address they come from, whoever signs the requests', async () => {
    const signed = () =>
      inRequest(HERE, () => {
        keepClient(requestContext.getStore()!.response.req, 'user|lin');
        return logins.attempt('lin', wrong);
      }).answer;
    for (let n = 0; n < FAILED_LOGINS / 2; n++) await signed();
    await fail(FAILED_LOGINS / 2);
    await expect(attempt(right)).rejects.toMatchObject(REFUSAL);
  });

  it('one fewer, and the right password signs in; that does not count', async () => {
    await fail(FAILED_LOGINS - 1);
    for (let n = 0; n < 20; n++) expect(await attempt(right)).toBe('lin');
    await fail(1);
    await expect(attempt(right)).rejects.toMatchObject(REFUSAL);
  });

  it('are forgotten when the window is over, which refused attempts do not prolong', async () => {
    await fail(FAILED_LOGINS);
    clock.advance(LOGIN_WINDOW_SECONDS * 1000 - 1);
    await expect(attempt(right)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    clock.advance(1);
    await fail(FAILED_LOGINS);
    await expect(attempt(right)).rejects.toMatchObject(REFUSAL);
  });

  it('are counted for each account and client, whatever spelling of the name', async () => {
    await fail(FAILED_LOGINS);
    await expect(attempt(right, HERE, 'ｌｉｎ')).rejects.toMatchObject(REFUSAL);
    expect(await attempt(right, THERE)).toBe('lin');
    expect(await attempt(right, HERE, 'another')).toBe('lin');
  });

  it('sent at once are ten, and some are under way at a time', async () => {
    let underWay = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, (underWay += 1));
      await new Promise(setImmediate);
      underWay -= 1;
      return undefined;
    };
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => attempt(slow)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(FAILED_LOGINS);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('good ones sent at once are all let in', async () => {
    const slow = () => new Promise<string>((resolve) => setImmediate(() => resolve('lin')));
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(slow)));
    expect(new Set(answers)).toEqual(new Set(['lin']));
  });

  it('what could not be verified does not count', async () => {
    const broken = () => Promise.reject(new Error('the database is away'));
    for (let n = 0; n < 2 * FAILED_LOGINS; n++) await expect(attempt(broken)).rejects.toThrow('away');
    expect(await attempt(right)).toBe('lin');
  });

  it('from many clients make an account slower, up to five seconds, for a quarter of an hour', async () => {
    for (let n = 0; n < 13; n++) await fail(1, elsewhere(n));
    expect(delays()).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    await fail(1, HERE, 'another');
    expect(delays()).toHaveLength(8);
    clock.advance(15 * 60_000);
    await attempt(right, THERE);
    expect(delays()).toHaveLength(8);
  });

  it('do not slow down a client that has signed in to the account before, or made it', async () => {
    await attempt(right, HERE);
    await inRequest(THERE, () => Promise.resolve(logins.signedIn('lin'))).answer;
    for (let n = 0; n < 6; n++) await fail(1, elsewhere(n));
    const before = delays().length;
    expect(before).toBe(1);
    await attempt(right, HERE);
    await attempt(right, THERE);
    expect(delays()).toHaveLength(before);
    await attempt(right, elsewhere(99));
    expect(delays()).toHaveLength(before + 1);
  });

  it('do not try the password of somebody who has left during the delay', async () => {
    for (let n = 0; n < 6; n++) await fail(1, elsewhere(n));
    const verify = jest.fn(right);
    const request = inRequest(THERE, () => logins.attempt('lin', verify));
    request.response.destroy();
    await expect(request.answer).rejects.toMatchObject({ status: 503 });
    expect(verify).not.toHaveBeenCalled();
  });
});
