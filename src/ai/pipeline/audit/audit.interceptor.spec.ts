import { concat, NEVER, of, throwError } from 'rxjs';
import { aiCall, answer, around, settled, watch } from '../../../../test/support/ai-calls';
import { ManualScheduler } from '../../../../test/support/manual-scheduler';
import { type AuditRecord } from './ai-audit.repository';
import { AuditInterceptor } from './audit.interceptor';
import { type AuditTrail } from './audit-trail';

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
