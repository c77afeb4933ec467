import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { concat, NEVER, of, throwError } from 'rxjs';
import { aiCall, answer, around, settled, watch } from '../../../../test/support/ai-calls';
import { ManualScheduler } from '../../../../test/support/manual-scheduler';
import type { AiAuditRepository, AuditRecord } from './ai-audit.repository';
import { AuditInterceptor, AuditTrail } from './audit.interceptor';
import { ConstraintViolation } from '../../../platform/database/pg-errors';

describe('AuditInterceptor', () => {
  let time: ManualScheduler;
  let rows: AuditRecord[];
  let write: () => Promise<void>;
  let interceptor: AuditInterceptor;

  beforeEach(() => {
    time = new ManualScheduler();
    rows = [];
    write = () => Promise.resolve();
    const trail = {
      write: (row: AuditRecord) => {
        rows.push(row);
        return write();
      },
    };
    interceptor = new AuditInterceptor(trail as AuditTrail, time);
  });
  afterEach(() => jest.useRealTimers());

  it('writes one row for an answered call: what was asked, tokens, milliseconds', async () => {
    const call = aiCall();
    call.usage.add(7);
    const events = await around(interceptor, call, () => of(answer('a')));
    const seen = watch(events);
    await settled();
    expect(seen).toMatchObject({ events: [answer('a')], completed: true });
    seen.leave();
    expect(call.countedTokens).toBe(7);
    expect(rows).toEqual([
      {
        userId: null,
        capability: 'word',
        modelName: 'model',
        promptHash: call.promptHash,
        tokensUsed: 7,
        durationMs: 0,
      },
    ]);
  });

  it.each([
    ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000a'],
    ['no uuid', null],
  ])('names the user %s of the call as %s', async (id, userId) => {
    const call = aiCall({ user: { id, username: 'lin', role: 'engineer' } });
    watch(await around(interceptor, call, () => of(answer('a'))));
    await settled();
    expect(rows).toMatchObject([{ userId }]);
  });

  it('counts the time from the beginning of the call to its end, in whole milliseconds', async () => {
    await time.advance(500);
    const seen = watch(await around(interceptor, aiCall(), () => NEVER));
    await time.advance(1_233.6);
    seen.leave();
    expect(rows).toMatchObject([{ durationMs: 1_234, tokensUsed: null }]);
  });

  it('writes one row for a failed call, and the failure comes after it', async () => {
    let done = (): void => undefined;
    write = () => new Promise((resolve) => (done = resolve));
    const seen = watch(await around(interceptor, aiCall(), () => throwError(() => new Error('no'))));
    await settled();
    expect(rows).toHaveLength(1);
    expect(seen.error).toBeUndefined();
    done();
    await settled();
    expect(seen.error).toEqual(new Error('no'));
    expect(rows).toHaveLength(1);
  });

  it('writes one row for a call whose caller has left, with the tokens so far', async () => {
    const call = aiCall();
    const seen = watch(await around(interceptor, call, () => concat(of(answer('a')), NEVER)));
    call.usage.add(3);
    expect(rows).toEqual([]);
    seen.leave();
    await settled();
    expect(rows).toMatchObject([{ tokensUsed: 3 }]);
    expect(seen.completed).toBe(false);
  });

  it('writes one row, not two, where the caller leaves while the row is written', async () => {
    write = () => new Promise(() => undefined);
    const seen = watch(await around(interceptor, aiCall(), () => of(answer('a'))));
    await settled();
    seen.leave();
    await settled();
    expect(rows).toHaveLength(1);
  });

  it('the answer goes out before the row is written; the call ends after it', async () => {
    let done = (): void => undefined;
    write = () => new Promise((resolve) => (done = resolve));
    const seen = watch(await around(interceptor, aiCall(), () => of(answer('a'))));
    await settled();
    expect(seen).toMatchObject({ events: [answer('a')], completed: false });
    done();
    await settled();
    expect(seen.completed).toBe(true);
  });

  it('waits a second for a row that cannot be written, and no longer', async () => {
    jest.useFakeTimers();
    write = () => new Promise(() => undefined);
    const seen = watch(await around(interceptor, aiCall(), () => of(answer('a'))));
    await jest.advanceTimersByTimeAsync(999);
    expect(seen.completed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.completed).toBe(true);
  });
});

const row = (number: number): AuditRecord => ({
  userId: null,
  capability: `c${number}`,
  modelName: 'm',
  promptHash: 'h',
  tokensUsed: null,
  durationMs: 1,
});

describe('AuditTrail', () => {
  let statements: string[][];
  let trail: AuditTrail;
  /** What each statement waits for. */
  let release: (() => void)[];

  beforeEach(() => {
    statements = [];
    release = [];
    trail = new AuditTrail({
      insert: (records: AuditRecord[]) => {
        statements.push(records.map(({ capability }) => capability));
        return new Promise<void>((resolve) => release.push(resolve));
      },
    } as unknown as AiAuditRepository);
  });
  afterEach(() => jest.restoreAllMocks());

  it('belongs to no request or transaction of whoever wrote the first row', async () => {
    const variable = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    trail = new AuditTrail({
      insert: () => Promise.resolve(void seen.push(variable.getStore())),
    } as unknown as AiAuditRepository);
    await variable.run('a transaction', () => trail.write(row(1)));
    expect(seen).toEqual([undefined]);
  });

  it('writes rows that come together in one statement, and what comes meanwhile in the next', async () => {
    const written: number[] = [];
    for (const number of [1, 2]) void trail.write(row(number)).then(() => written.push(number));
    await settled();
    void trail.write(row(3));
    void trail.write(row(4));
    await settled();
    expect(statements).toEqual([['c1', 'c2']]);
    expect(written).toEqual([]);
    release[0]?.();
    await settled();
    expect(written).toEqual([1, 2]);
    expect(statements).toEqual([
      ['c1', 'c2'],
      ['c3', 'c4'],
    ]);
  });

  it('writes at most 500 rows in a statement', async () => {
    for (let number = 0; number < 501; number++) void trail.write(row(number));
    await settled();
    release[0]?.();
    await settled();
    expect(statements.map(({ length }) => length)).toEqual([500, 1]);
  });

  it('begins anew after a pause', async () => {
    void trail.write(row(1));
    await settled();
    release[0]?.();
    await settled();
    void trail.write(row(2));
    await settled();
    expect(statements).toEqual([['c1'], ['c2']]);
  });

  it('the service stops when every row is written, and not before', async () => {
    void trail.write(row(1));
    let stopped = false;
    void trail.beforeApplicationShutdown().then(() => (stopped = true));
    await settled();
    expect(stopped).toBe(false);
    release[0]?.();
    await settled();
    expect(stopped).toBe(true);
  });

  it('nor before the rows of a statement that is under way', async () => {
    void trail.write(row(1));
    await settled();
    expect(statements).toEqual([['c1']]);
    let stopped = false;
    void trail.beforeApplicationShutdown().then(() => (stopped = true));
    await settled();
    expect(stopped).toBe(false);
    release[0]?.();
    await settled();
    expect(stopped).toBe(true);
  });

  it('nor before the rows of calls that end because an earlier one has been written', async () => {
    void trail.write(row(1)).then(() => trail.write(row(2)));
    let stopped = false;
    void trail.beforeApplicationShutdown().then(() => (stopped = true));
    await settled();
    release[0]?.();
    await settled();
    expect(statements).toEqual([['c1'], ['c2']]);
    expect(stopped).toBe(false);
    release[1]?.();
    await settled();
    expect(stopped).toBe(true);
  });

  it('each row that cannot be written is a logged error, nobody waits for it, and the next is tried', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const insert = jest
      .fn<Promise<void>, [readonly AuditRecord[]]>()
      .mockRejectedValueOnce(new Error('disk full'))
      .mockRejectedValueOnce('no error');
    const failing = new AuditTrail({ insert } as unknown as AiAuditRepository);
    await Promise.all([failing.write(row(1)), failing.write(row(2))]);
    await failing.write(row(3));
    await failing.write(row(4));
    expect(error.mock.calls).toEqual([
      [`Audit row lost: ${JSON.stringify(row(1))} (disk full)`],
      [`Audit row lost: ${JSON.stringify(row(2))} (disk full)`],
      [`Audit row lost: ${JSON.stringify(row(3))} (unknown)`],
    ]);
    expect(insert).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['a value that its column cannot hold', Object.assign(new Error('out of range'), { code: '22003' })],
    ['a value that a constraint forbids', new ConstraintViolation('ck', 'check')],
  ])('a row with %s takes none of its batch with it', async (_, refused) => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const written: string[] = [];
    const insert = (records: readonly AuditRecord[]) => {
      const names = records.map(({ capability }) => capability);
      if (names.includes('c2')) return Promise.reject(refused);
      written.push(...names);
      return Promise.resolve();
    };
    const failing = new AuditTrail({ insert } as unknown as AiAuditRepository);
    await Promise.all([1, 2, 3].map((number) => failing.write(row(number))));
    expect(written).toEqual(['c1', 'c3']);
    expect(error.mock.calls).toEqual([[`Audit row lost: ${JSON.stringify(row(2))} (${refused.message})`]]);
  });

  it('a batch that a database out of reach does not take is not tried row by row', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const insert = jest.fn(() => Promise.reject(away));
    const failing = new AuditTrail({ insert } as unknown as AiAuditRepository);
    await Promise.all([1, 2, 3].map((number) => failing.write(row(number))));
    expect(insert).toHaveBeenCalledTimes(1);
  });
});
