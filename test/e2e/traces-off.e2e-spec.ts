import { bootApp } from '../support/app';
import { TraceCollector } from '../support/trace-collector';

/** Its list is made by the first that is loaded: that may be before this file's own first line. */
function mockNoted(name: string): unknown {
  const noted = mockNoted as { loaded?: string[] };
  (noted.loaded ??= []).push(name);
  return jest.requireActual(name);
}
const loaded = () => (mockNoted as { loaded?: string[] }).loaded ?? [];
jest.mock('@opentelemetry/core', () => mockNoted('@opentelemetry/core'));
jest.mock('@opentelemetry/exporter-trace-otlp-http', () =>
  mockNoted('@opentelemetry/exporter-trace-otlp-http'),
);
jest.mock('@opentelemetry/resources', () => mockNoted('@opentelemetry/resources'));
jest.mock('@opentelemetry/sdk-trace', () => mockNoted('@opentelemetry/sdk-trace'));

describe('OpenTelemetry’s SDK', () => {
  it('is not loaded without TRACES_URL', async () => {
    const service = await bootApp();
    const user = await service.register();
    await user.get('/api/formulas').expect(200);
    const predicted = { ingredients: [{ name: 'Aqua', percentage: 100, category: 'other' }] };
    await user.post('/api/ai/predict-formula', predicted).expect(200);
    await service.close();
    expect(loaded()).toEqual([]);
  });

  // Else the list above would be empty in any case.
  it('is loaded with it', async () => {
    const collector = await TraceCollector.start();
    const service = await bootApp({ settings: { TRACES_URL: collector.url } });
    await service.close();
    await collector.stop();
    expect(loaded()).toContain('@opentelemetry/sdk-trace');
  });
});
