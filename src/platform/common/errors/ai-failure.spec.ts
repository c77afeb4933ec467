import { InvalidAnswer, readRetryAfter, statusFailure } from './ai-failure';

const headers = (values: Record<string, string>) => (name: string) => values[name] ?? null;
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('statusFailure', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('%i can be tried again', (status) =>
    expect(statusFailure('alpha', status, headers({}), NOW).retryable).toBe(true),
  );
  it.each([301, 307, 400, 401, 403, 404, 413, 422])('%i cannot', (status) =>
    expect(statusFailure('alpha', status, headers({}), NOW).retryable).toBe(false),
  );
});

describe('the kind of a failure', () => {
  it.each([
    [401, 'key-refused'],
    [403, 'key-refused'],
    [404, 'not-found'],
    [410, 'request'],
    [408, 'server'],
    [429, 'rate-limited'],
    [599, 'server'],
  ])('%i: %s', (status, kind) => {
    const failure = statusFailure('alpha', status, headers({ 'retry-after': '5' }), NOW);
    expect(failure).toMatchObject({
      name: 'AiFailure',
      kind,
      status,
      message: `alpha: ${kind} (HTTP ${status})`,
    });
    expect(failure.retryAfterMs).toBe(failure.retryable ? 5000 : undefined);
  });
});

it('an answer that breaks the schema is not asked for again by itself, and holds what a repair needs', () => {
  expect(new InvalidAnswer('alpha', 'text', 'a: b')).toMatchObject({
    name: 'InvalidAnswer',
    message: 'alpha: invalid-answer',
    kind: 'invalid-answer',
    retryable: false,
    answer: 'text',
    problem: 'a: b',
  });
});

describe('readRetryAfter', () => {
  it.each([
    [{ 'retry-after': '5' }, 5000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '5' }, 250],
    [{ 'retry-after-ms': '0', 'retry-after': '5' }, 0],
    [{ 'retry-after-ms': '-1', 'retry-after': '5' }, 5000],
    [{ 'retry-after-ms': 'Infinity', 'retry-after': '5' }, 5000],
    [{ 'retry-after': ' ' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (values, ms) => expect(readRetryAfter(headers(values as Record<string, string>), NOW)).toBe(ms));
});
