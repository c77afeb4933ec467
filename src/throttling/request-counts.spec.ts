import { Logger } from '@nestjs/common';
import { ManualClock } from '../../test/support/clock';
import { SigningSecret } from '../environment/signing-secret';
import { RequestCounts, THROTTLER_STORAGE } from './request-counts';
import { WindowCounterStorage } from './window-counter.storage';
import { discovering } from '../../test/support/discovery';
import { Redis } from '../redis/redis.module';

const TTL = 60_000;
const LIMIT = 2;

/** What counts where this storage is provided; absent: none is. */
function countsOf(storage?: object) {
  const clock = new ManualClock();
  const own = new WindowCounterStorage(clock);
  const wrapper = { token: THROTTLER_STORAGE, instance: storage, host: { name: 'RedisModule' } };
  const discovery = discovering(...(storage ? [wrapper] : []));
  const counts = new RequestCounts(own, discovery, clock, new SigningSecret('secret'), new Redis(undefined));
  counts.onModuleInit();
  return { counts, own };
}

const COUNT = { totalHits: 1, timeToExpire: 60, isBlocked: false, timeToBlockExpire: 0 };
const BLOCKED = { totalHits: 3, timeToExpire: 20, isBlocked: true, timeToBlockExpire: 40 };

describe('RequestCounts', () => {
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  beforeEach(() => failed.mockClear());
  afterAll(() => jest.restoreAllMocks());

  const answered = (answer: unknown, duration = TTL) =>
    countsOf({ increment: () => Promise.resolve(answer) }).counts.increment(
      'user|lin',
      TTL,
      LIMIT,
      duration,
      'default',
    );
  /** As our own storage counts a first request. */
  const OWN = { totalHits: 1, timeToExpire: 60, isBlocked: false, timeToBlockExpire: 60 };

  it('without a storage gives the very promise of our own', () => {
    const { counts, own } = countsOf();
    const promise = Promise.resolve(COUNT);
    const increment = jest.spyOn(own, 'increment').mockReturnValue(promise);
    expect(counts.increment('user|lin', TTL, LIMIT, TTL, 'default')).toBe(promise);
    expect(increment).toHaveBeenCalledWith('user|lin', TTL, LIMIT, TTL, 'default');
  });

  it('hands over everything but the key, which shows nobody', async () => {
    const increment = jest.fn().mockResolvedValue(COUNT);
    const { counts } = countsOf({ increment });
    await counts.increment('user|lin', TTL, LIMIT, TTL, 'default');
    await counts.increment('user|lin', TTL, LIMIT, TTL, 'default');
    // A shorter window is another one: what is left of the longer one would be nonsense in it.
    await counts.increment('user|lin', 1000, LIMIT, 1000, 'ceiling');
    const [first, second, third] = increment.mock.calls as [string, ...unknown[]][];
    const [key, ...rest] = first!;
    const [again] = second!;
    const [other, ...others] = third!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(again).toBe(key);
    expect(other).not.toBe(key);
    expect([rest, others]).toEqual([
      [TTL, LIMIT, TTL, 'default'],
      [1000, LIMIT, 1000, 'ceiling'],
    ]);
  });

  it.each<[object, object]>([
    [COUNT, { ...COUNT, timeToBlockExpire: 60 }],
    [{ ...COUNT, timeToExpire: 12.3 }, { timeToExpire: 13 }],
    [{ ...COUNT, timeToExpire: 0 }, { timeToExpire: 1 }],
    // As our own: both times are those until one is admitted.
    [BLOCKED, { totalHits: 3, isBlocked: true, timeToExpire: 40, timeToBlockExpire: 40 }],
    // The package's own storage counts down while it blocks, and tells -1 where nobody is blocked.
    [{ ...BLOCKED, totalHits: 0 }, { isBlocked: true }],
    [{ ...COUNT, timeToBlockExpire: -1_700_000_000 }, { isBlocked: false }],
    [{ ...COUNT, timeToExpire: 61 }, { timeToExpire: 61 }],
  ])('takes %j as %j', async (answer, count) => {
    expect(await answered(answer)).toMatchObject(count);
    expect(failed).not.toHaveBeenCalled();
  });

  it('takes a block as long as the route says', async () => {
    expect(await answered({ ...BLOCKED, timeToBlockExpire: 300 }, 300_000)).toMatchObject({
      timeToExpire: 300,
      timeToBlockExpire: 300,
    });
  });

  it.each<unknown>([
    undefined,
    null,
    'OK',
    7,
    [],
    {},
    { ...COUNT, totalHits: NaN },
    { ...COUNT, totalHits: -1 },
    { ...COUNT, totalHits: 0 },
    { ...COUNT, totalHits: 1.5 },
    { ...COUNT, totalHits: '1' },
    { ...COUNT, totalHits: Infinity },
    { ...COUNT, isBlocked: undefined },
    { ...COUNT, isBlocked: 0 },
    { ...COUNT, timeToExpire: undefined },
    { ...COUNT, timeToExpire: NaN },
    { ...COUNT, timeToExpire: -1 },
    // Milliseconds.
    { ...COUNT, timeToExpire: 60_000 },
    { ...BLOCKED, timeToBlockExpire: undefined },
    { ...BLOCKED, timeToBlockExpire: 40_000 },
    // Would admit everybody.
    { ...COUNT, totalHits: LIMIT + 1 },
  ])('counts by itself where the storage answers %p', async (answer) => {
    expect(await answered(answer)).toEqual(OWN);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(failed.mock.calls[0]![0]).toMatch(
      /^THROTTLER_STORAGE fails \(.+\): requests are counted in this process$/,
    );
  });

  it('one that fails opens the limit to nobody', async () => {
    const { counts } = countsOf({
      increment: () => {
        throw new Error('down');
      },
    });
    const blocked: boolean[] = [];
    for (let n = 0; n < 20; n++) {
      blocked.push((await counts.increment('user|lin', TTL, LIMIT, TTL, 'default')).isBlocked);
    }
    expect(blocked).toEqual([false, false, ...Array<boolean>(18).fill(true)]);
    expect((await counts.increment('user|wu', TTL, LIMIT, TTL, 'default')).isBlocked).toBe(false);
  });
});
