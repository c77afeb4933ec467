import * as client from 'prom-client';
import { Registry } from 'prom-client';
import { concat, NEVER, type Observable, of, throwError } from 'rxjs';
import { aiCall } from '../../../test/support/ai-calls';
import { boundedNames, type Metrics } from '../../platform/observability/metrics';
import type { Tracing } from '../../platform/observability/tracing';
import { AiCallContext, type AiEvent } from './ai-call';
import { AiTelemetryInterceptor } from './ai-telemetry.interceptor';
import type { AiRate } from './rate-limit.interceptor';

const part: AiEvent = { kind: 'part', part: 1, source: 'alpha' };
const answered = (source: string): Observable<AiEvent> =>
  of({ kind: 'answer', answer: 1, source, cacheable: true });
const failing = throwError(() => new Error('no'));

describe('AI metrics', () => {
  let registry: Registry;
  let interceptor: AiTelemetryInterceptor;

  beforeEach(() => {
    registry = new Registry();
    const metrics: Pick<Metrics, 'register'> = { register: (register) => register(client, [registry]) };
    interceptor = new AiTelemetryInterceptor(
      metrics as Metrics,
      { isEnabled: false } as Tracing,
      { waitingCount: 25 } as AiRate,
    );
  });

  it.each<[string, Observable<AiEvent>]>([
    ['answered', answered('alpha')],
    ['answered', concat(of(part), answered('alpha'))],
    ['cached', answered('cache')],
    ['fallback', answered('fallback')],
    ['failed', failing],
    ['failed', concat(answered('alpha'), failing)],
    ['abandoned', NEVER],
    ['abandoned', concat(of(part), NEVER)],
  ])('count a call that is %s', async (outcome, events) => {
    const context = new AiCallContext(aiCall({}));
    interceptor
      .intercept(context, { handle: () => events })
      .subscribe({ error: () => undefined })
      .unsubscribe();
    const { values } = await registry.getSingleMetric('formula_ai_calls_total')!.get();
    expect(values).toMatchObject([{ labels: { outcome }, value: 1 }]);
  });

  it('show who waits for the rate', async () => {
    expect(await registry.metrics()).toContain('formula_ai_rate_waiting 25');
  });
});

describe('boundedNames', () => {
  it('returns a hundred names, and one name for all others', () => {
    const bounded = boundedNames();
    for (let at = 0; at < 100; at += 1) expect(bounded(`name-${at}`)).toBe(`name-${at}`);
    expect(bounded('name-100')).toBe('other');
    expect(bounded('name-7')).toBe('name-7');
  });
});
