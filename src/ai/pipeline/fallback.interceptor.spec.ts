import { Logger } from '@nestjs/common';
import { concat, type Observable, of, throwError } from 'rxjs';
import { aiCall, answer, around, LIST, part, settled, watch } from '../../../test/support/ai-calls';
import { AiFailure } from '../../platform/common/errors/ai-failure';
import type { AiCall, AiEvent } from './ai-call';
import { FallbackInterceptor } from './fallback.interceptor';

describe('FallbackInterceptor', () => {
  let warn: jest.SpyInstance;
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation()));
  afterEach(() => jest.restoreAllMocks());

  const run = async (call: AiCall, events: Observable<AiEvent>) => {
    const seen = watch(await around(new FallbackInterceptor(), call, () => events));
    await settled();
    return seen;
  };
  const failure = new AiFailure('server', 'remote', { retryable: true, status: 503 });
  const fails = throwError(() => failure);

  it('leaves an answer as it is', async () => {
    expect(await run(aiCall(), of(answer('a')))).toMatchObject({ events: [answer('a')], completed: true });
    expect(warn).not.toHaveBeenCalled();
  });

  it('answers with the preset, which may not be remembered, and logs why', async () => {
    const seen = await run(aiCall({ capability: LIST }), fails);
    expect(seen.events).toEqual([
      { kind: 'part', part: { name: 'preset' }, source: 'fallback' },
      { kind: 'answer', answer: { list: [{ name: 'preset' }] }, source: 'fallback', cacheable: false },
    ]);
    expect(warn).toHaveBeenCalledWith('list failed (remote: server (HTTP 503))');
  });

  it('lets the failure be one where a preset would do harm', async () => {
    expect(await run(aiCall({ policy: { whenFailed: 'failure' } }), fails)).toMatchObject({
      events: [],
      error: failure,
    });
  });

  it('lets the failure be one where the preset has no part to hand on', async () => {
    const capability = { ...LIST, preset: () => ({ list: [{ name: 'unwanted' }] }) };
    expect(await run(aiCall({ capability }), fails)).toMatchObject({ events: [], error: failure });
  });

  it('lets the failure be one after a part has been handed on', async () => {
    const seen = await run(aiCall({ capability: LIST }), concat(of(part({ name: 'a' })), fails));
    expect(seen).toMatchObject({ events: [part({ name: 'a' })], error: failure });
  });

  it('logs nothing of an error that is not ours', async () => {
    await run(
      aiCall(),
      throwError(() => new TypeError('sk-secret')),
    );
    expect(warn).toHaveBeenCalledWith('word failed (remote: unexpected TypeError)');
  });
});
