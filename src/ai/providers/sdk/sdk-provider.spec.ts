import { ManualClock } from '../../../../test/support/clock';
import { completionRequest } from '../../../../test/support/provider-requests';
import { type ProviderAccess } from '../../../platform/runtime-config/runtime-configuration';
import { type AiFailure } from '../../../platform/common/errors/ai-failure';
import { type Completion, type CompletionChunk, type CompletionRequest } from '../ai-provider';
import {
  type Connection,
  repairInstruction,
  schemaInstruction,
  sdkOptions,
  SdkProvider,
  type SdkStream,
} from './sdk-provider';
import { AnswerTooLong, boundedFetch, publicNetwork } from './provider-fetch';

class ApiError extends Error {
  constructor(
    readonly status: number | undefined,
    readonly headers = new Headers(),
    readonly type?: string,
  ) {
    super('sk-secret');
  }
}
class ConnectionError extends ApiError {}
class TimeoutError extends ConnectionError {}
class AbortError extends ApiError {}

interface Sdk {
  readonly connection: Connection;
}

/** A provider whose protocol is what the test says. */
class TestProvider extends SdkProvider<Sdk, 'strict' | 'loose', { text: string; error?: unknown }> {
  readonly name = 'test';
  readonly defaultModel = 'test-1';
  protected readonly defaultAddress = 'http://default';
  protected readonly formats = ['strict', 'loose'] as const;
  readonly asked: { sdk: Sdk; format: string }[] = [];
  answer: () => Promise<{ text: string; error?: unknown }> = () => Promise.resolve({ text: 'a' });
  streamed: () => Promise<SdkStream> = () => Promise.reject(new Error('no stream'));

  serves(): boolean {
    return true;
  }

  protected open(connection: Connection): Sdk {
    return { connection };
  }

  protected errors() {
    return {
      APIError: ApiError,
      APIConnectionError: ConnectionError,
      APIConnectionTimeoutError: TimeoutError,
      APIUserAbortError: AbortError,
    };
  }

  protected ask(sdk: Sdk, _: CompletionRequest, format: string): Promise<{ text: string; error?: unknown }> {
    this.asked.push({ sdk, format });
    return this.answer();
  }

  protected askStream(): Promise<SdkStream> {
    return this.streamed();
  }

  protected read(answer: { text: string } | null): Completion {
    return { text: answer?.text ?? '' };
  }
}

describe('SdkProvider', () => {
  let access: ProviderAccess;
  let provider: TestProvider;

  beforeEach(() => {
    access = { key: 'k' };
    provider = new TestProvider(new ManualClock());
  });

  const request = (negotiated: { format?: string } = {}) => completionRequest({ access, negotiated });
  const failureOf = async (error: Error, asked = request()): Promise<AiFailure> => {
    provider.answer = () => Promise.reject(error);
    return provider.complete(asked).then(
      () => Promise.reject(new Error('should fail')),
      (failure: AiFailure) => failure,
    );
  };

  it('is configured by its key; without one it asks nobody', async () => {
    expect(await provider.isConfigured(access)).toBe(true);
    access = { baseUrl: 'http://x' };
    expect(await provider.isConfigured(access)).toBe(false);
    await expect(provider.complete(request())).rejects.toMatchObject({
      kind: 'not-configured',
      retryable: false,
    });
    expect(provider.asked).toEqual([]);
  });

  it('keeps its client until key or address change; slashes at the end are no part of an address', async () => {
    for (const next of [
      { key: 'k' },
      { key: 'k' },
      { key: 'k2' },
      { key: 'k2', baseUrl: 'http://x/v1//' },
      { key: 'k2', baseUrl: 'http://x/v1//' },
    ]) {
      access = next;
      await provider.complete(request());
    }
    const [a, b, c, d, e] = provider.asked.map(({ sdk }) => sdk);
    expect(a).toBe(b);
    expect(d).toBe(e);
    expect([a, c, d].map((sdk) => sdk?.connection)).toEqual([
      { key: 'k', baseUrl: 'http://default' },
      { key: 'k2', baseUrl: 'http://default' },
      { key: 'k2', baseUrl: 'http://x/v1' },
    ]);
  });

  it('an address that must be public opens a client of its own; a private one is not asked', async () => {
    for (const mustBePublic of [undefined, true] as const) {
      access = { key: 'k', baseUrl: 'http://x', ...(mustBePublic && { mustBePublic }) };
      await provider.complete(request());
    }
    const [free, bound] = provider.asked.map(({ sdk }) => sdk.connection);
    expect([free?.mustBePublic, bound?.mustBePublic]).toEqual([undefined, true]);
    access = { key: 'k', baseUrl: 'http://127.0.0.1:1', mustBePublic: true };
    await expect(provider.complete(request())).rejects.toMatchObject({
      kind: 'connection',
      retryable: false,
    });
    expect(provider.asked).toHaveLength(2);
  });

  it.each([400, 415, 422, 501])('goes on to the next format where %i refuses one', async (status) => {
    const negotiated = {};
    const failure = await failureOf(new ApiError(status), request(negotiated));
    expect(failure).toMatchObject({ kind: 'format', retryable: true, status });
    expect(negotiated).toEqual({ format: 'loose' });
    expect(await failureOf(new ApiError(status), request(negotiated))).toMatchObject({
      kind: status === 501 ? 'server' : 'request',
    });
  });

  it('stays with the format that worked, and not with one that failed otherwise', async () => {
    await failureOf(new ApiError(400), request());
    await failureOf(new ApiError(500), request({ format: 'loose' }));
    provider.answer = () => Promise.resolve({ text: 'a' });
    await provider.complete(request());
    await provider.complete(request({ format: 'loose' }));
    await provider.complete(request());
    expect(provider.asked.map(({ format }) => format)).toEqual([
      'strict',
      'loose',
      'strict',
      'loose',
      'loose',
    ]);
  });

  it.each<[Error, Partial<AiFailure>]>([
    [new TimeoutError(undefined), { kind: 'timeout', retryable: true }],
    [new ConnectionError(undefined), { kind: 'connection', retryable: true }],
    [new AbortError(undefined), { kind: 'connection', retryable: true }],
    [new ApiError(429, new Headers({ 'retry-after': '7' })), { kind: 'rate-limited', retryAfterMs: 7000 }],
    [
      new ApiError(503, new Headers({ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' })),
      { kind: 'server', retryAfterMs: 9322 },
    ],
    [new ApiError(undefined, undefined, 'overloaded_error'), { kind: 'server', retryable: true }],
    [new SyntaxError('x'), { kind: 'invalid-answer' }],
    [new TypeError('terminated'), { kind: 'connection', retryable: true }],
    [new RangeError('x'), { kind: 'request', retryable: false }],
    [new AnswerTooLong(), { name: 'AiFailure', kind: 'invalid-answer', retryable: false }],
    [new SyntaxError('x'), { name: 'InvalidAnswer', retryable: false }],
  ])('%p is %j', async (error, failure) => {
    const found = await failureOf(error);
    expect(found).toMatchObject(failure);
    expect(JSON.stringify([found, found.message])).not.toContain('secret');
  });

  it.each<[unknown, Partial<AiFailure>]>([
    [{ code: 429 }, { kind: 'rate-limited', retryable: true, status: 429 }],
    [{ code: '401' }, { kind: 'key-refused', retryable: false, status: 401 }],
    [
      { code: 502, type: 'x' },
      { kind: 'server', retryable: true },
    ],
    [{ code: 'rate_limit_exceeded' }, { kind: 'server', retryable: true, status: undefined }],
    [{ code: 7 }, { kind: 'server', retryable: true, status: undefined }],
    [{ type: 'invalid_request_error' }, { kind: 'request', retryable: false }],
    ['busy', { kind: 'server', retryable: true }],
  ])('takes the error %j in an answer with status 200 for what it says', async (error, failure) => {
    const body = { text: 'a', error };
    provider.answer = () => Promise.resolve(body);
    await expect(provider.complete(request())).rejects.toMatchObject(failure);
    const headers = { 'content-type': 'application/json' };
    const response = new Response(JSON.stringify(body), { headers });
    provider.streamed = () => Promise.resolve({ response, chunks: undefined as never });
    await expect(provider.stream(request()).next()).rejects.toMatchObject(failure);
  });

  it('goes on to the next format where the error in an answer with status 200 may be its fault', async () => {
    const negotiated = {};
    provider.answer = () => Promise.resolve({ text: '', error: { code: 400 } });
    await expect(provider.complete(request(negotiated))).rejects.toMatchObject({ kind: 'format' });
    expect(negotiated).toEqual({ format: 'loose' });
  });

  it('takes no error where it is null', async () => {
    provider.answer = () => Promise.resolve({ text: 'a', error: null });
    expect(await provider.complete(request())).toEqual({ text: 'a' });
  });

  it.each([
    'invalid_request_error',
    'authentication_error',
    'permission_error',
    'billing_error',
    'not_found_error',
    'request_too_large',
  ])('an error of the type %s inside a stream is not repeated', async (type) => {
    const failure = { kind: 'request', retryable: false };
    expect(await failureOf(new ApiError(undefined, undefined, type))).toMatchObject(failure);
  });

  it('reads a stream, and an answer in one piece where a stream was asked for', async () => {
    async function* chunks(): AsyncGenerator<CompletionChunk> {
      yield await Promise.resolve({ text: 'a' });
      yield { text: 'b' };
    }
    const all = async () => {
      const texts: unknown[] = [];
      for await (const { text } of provider.stream(request())) texts.push(text);
      return texts;
    };
    provider.streamed = () => Promise.resolve({ response: new Response(), chunks: chunks() });
    expect(await all()).toEqual(['a', 'b']);
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    provider.streamed = () =>
      Promise.resolve({ response: new Response('{"text":"whole"}', { headers }), chunks: chunks() });
    expect(await all()).toEqual(['whole']);
    provider.streamed = () => Promise.reject(new ApiError(401));
    await expect(all()).rejects.toMatchObject({ kind: 'key-refused' });
  });

  it('stays with the format in which a stream has begun', async () => {
    async function* chunks(): AsyncGenerator<CompletionChunk> {
      yield await Promise.resolve({ text: 'a' });
    }
    provider.streamed = () => Promise.resolve({ response: new Response(), chunks: chunks() });
    await provider.stream(request({ format: 'loose' })).next();
    await provider.complete(request());
    expect(provider.asked.map(({ format }) => format)).toEqual(['loose']);
  });

  it.each([
    ['text/event-stream', ['a']],
    ['application/x-ndjson', ['a']],
    ['application/json', ['whole']],
  ])('a body of the type %s holds %j', async (type, texts) => {
    async function* chunks(): AsyncGenerator<CompletionChunk> {
      yield await Promise.resolve({ text: 'a' });
    }
    const response = new Response('{"text":"whole"}', { headers: { 'content-type': type } });
    provider.streamed = () => Promise.resolve({ response, chunks: chunks() });
    const found: unknown[] = [];
    for await (const { text } of provider.stream(request())) found.push(text);
    expect(found).toEqual(texts);
  });

  it('says in words what a format does not carry, and what was wrong', () => {
    expect(schemaInstruction(request())).toBe(
      'Answer with one JSON object that matches this JSON Schema, and nothing else:\n' +
        '{"type":"object","properties":{},"additionalProperties":false}',
    );
    expect(repairInstruction('why')).toBe(
      'That answer cannot be used. What is wrong with it:\nwhy\n' +
        'Give the complete answer again, corrected, as JSON only.',
    );
  });

  it('a client of an address that must be public goes through the public network', () => {
    expect(sdkOptions({ key: 'k', baseUrl: 'http://x', mustBePublic: true }).fetchOptions).toEqual({
      redirect: 'manual',
      dispatcher: publicNetwork(),
    });
  });

  it('every client makes one request, follows no redirect and logs nothing', () => {
    const options = sdkOptions({ key: 'k', baseUrl: 'http://x' });
    // An attempt ends by the limits of its call, a minute at most.
    expect(options.timeout).toBeGreaterThan(60_000);
    expect(options).toEqual({
      fetch: boundedFetch,
      timeout: expect.any(Number) as unknown,
      maxRetries: 0,
      logLevel: 'off',
      fetchOptions: { redirect: 'manual' },
    });
  });
});
