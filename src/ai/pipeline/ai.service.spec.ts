import type { ServerResponse } from 'node:http';
import { lastValueFrom, type Observable, of, toArray } from 'rxjs';
import { answer, part, settled, WORD } from '../../../test/support/ai-calls';
import { OwnershipPolicy } from '../../platform/access/access-policy';
import { runInRequest, setCurrentUser } from '../../platform/common/request-context';
import { type RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import type { AiProvider, AiStrategy } from '../providers/ai-provider';
import { type AiCall } from './ai-call';
import { type AiPipeline } from './ai-pipeline';
import { AiService, type CallOptions } from './ai.service';

describe('AiService', () => {
  const chosen = { name: 'chosen' } as AiProvider;
  const other = { name: 'other' } as AiProvider;

  const current = jest.fn(() => Promise.resolve({ provider: chosen, model: 'm', access: { key: 'now' } }));
  const run = jest.fn((_: AiCall) => of(part('p'), answer({ word: 'a' })));
  const service = new AiService(
    { current } as unknown as AiStrategy,
    {
      current: () => Promise.resolve({ provider: (name: string) => ({ key: `configured for ${name}` }) }),
    } as unknown as RuntimeConfiguration,
    { run } as unknown as AiPipeline,
    new OwnershipPolicy('engineer'),
  );
  beforeEach(() => jest.clearAllMocks());

  /** The call that goes into the pipeline. */
  const callOf = async (options?: CallOptions): Promise<AiCall> => {
    const results = await lastValueFrom(service.call(WORD, 'x', options).pipe(toArray()));
    expect(results).toEqual([{ answer: { word: 'a' }, source: 'remote' }]);
    return run.mock.lastCall![0];
  };

  it('gives the parts and not the whole where parts are asked for', async () => {
    const parts = await lastValueFrom(service.parts(WORD, 'x').pipe(toArray()));
    expect(parts).toEqual([{ part: 'p', source: 'remote' }]);
  });

  it('asks nobody before somebody subscribes', async () => {
    service.call(WORD, 'x');
    service.parts(WORD, 'x');
    await settled();
    expect([current.mock.calls, run.mock.calls]).toEqual([[], []]);
  });

  it('asks whom the strategy chooses, with the key and address it chose by', async () => {
    expect(await callOf()).toMatchObject({ provider: chosen, model: 'm', access: { key: 'now' } });
  });

  it('asks whom the caller names, with the key of the target or the one configured under its name', async () => {
    const target = { provider: other, model: 'n' };
    expect(await callOf({ target })).toMatchObject({ ...target, access: { key: 'configured for other' } });
    const access = { key: 'its own' };
    expect(await callOf({ target: { ...target, access } })).toMatchObject({ ...target, access });
  });

  it('knows who asks: whose request it was, or whom the caller names', async () => {
    const lin = { id: 'a', username: 'lin', role: 'engineer' } as const;
    const wu = { ...lin, id: 'b', username: 'wu' };
    const inRequest = (options?: CallOptions) =>
      new Promise<Observable<unknown>>((resolve) =>
        runInRequest('request', {} as ServerResponse, () => {
          setCurrentUser(lin);
          resolve(service.call(WORD, 'x', options));
        }),
      );
    // Asked for in the request, subscribed to outside of it.
    await lastValueFrom(await inRequest());
    expect(run.mock.lastCall![0].user).toBe(lin);
    await lastValueFrom(await inRequest({ user: wu }));
    expect(run.mock.lastCall![0].user).toBe(wu);
    expect((await callOf()).user).toBeUndefined();
    expect((await callOf({ user: wu })).user).toBe(wu);
  });

  it('has the bounds of every call but where the caller says otherwise', async () => {
    const limits = { deadlineMs: 60_000, attemptMs: 30_000, retries: 3 };
    const usual = { ...limits, cache: true, whenFailed: 'preset' };
    expect((await callOf()).policy).toEqual(usual);
    expect((await callOf({ policy: { retries: 0 } })).policy).toEqual({ ...usual, retries: 0 });
    const policy = { deadlineMs: 1, attemptMs: 2, retries: 0, cache: false, whenFailed: 'failure' } as const;
    expect((await callOf({ policy })).policy).toEqual(policy);
  });
});
