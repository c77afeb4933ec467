import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { AppModule } from '../../src/app.module';
import { HEALTH_INDICATOR, type HealthIndicator } from '../../src/platform/health/health-indicators';
import { TIMESTAMP } from '../support/answers';

const queue = { name: 'queue', check: jest.fn<Promise<void>, [AbortSignal]>() };
const printer = { name: 'printer', required: false, check: jest.fn<Promise<void>, [AbortSignal]>() };

@Module({ providers: [{ provide: HEALTH_INDICATOR, useValue: queue }] })
class QueueModule {}

@Module({ providers: [{ provide: HEALTH_INDICATOR, useFactory: () => [printer] }] })
class PrinterModule {}

async function boot(...extensions: (typeof QueueModule)[]) {
  const compiled = await Test.createTestingModule({
    imports: [AppModule.register({ extensions })],
  }).compile();
  const app = compiled.createNestApplication({ logger: false });
  try {
    await app.init();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  return app;
}

const timestamp = expect.stringMatching(TIMESTAMP) as unknown;

async function health() {
  const app = await boot(QueueModule, PrinterModule);
  try {
    const { status, body } = await supertest(app.getHttpServer()).get('/api/health');
    return { status, body: body as unknown };
  } finally {
    await app.close();
  }
}

describe('HEALTH_INDICATOR', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  beforeEach(() => {
    logged.mockClear();
    queue.check.mockReset().mockResolvedValue();
    printer.check.mockReset().mockResolvedValue();
  });
  afterAll(() => logged.mockRestore());

  it('is found in any module, and shown', async () => {
    expect(await health()).toEqual({
      status: 200,
      body: { status: 'ok', timestamp, indicators: { queue: 'up', printer: 'up' } },
    });
  });

  it('that is down makes the service unhealthy; why is told to the log only', async () => {
    queue.check.mockRejectedValue(new Error('password secret-7 refused'));
    expect(await health()).toEqual({
      status: 503,
      body: {
        status: 'error',
        timestamp,
        error: '服务暂时不可用',
        statusCode: 503,
        indicators: { queue: 'down', printer: 'up' },
      },
    });
    expect(logged.mock.calls.filter((call) => call.includes('queue is down'))).toHaveLength(1);
  });

  it('that is not required is only shown, one that hangs is down', async () => {
    printer.check.mockReturnValue(new Promise(() => undefined));
    expect(await health()).toEqual({
      status: 200,
      body: { status: 'ok', timestamp, indicators: { queue: 'up', printer: 'down' } },
    });
    expect(printer.check.mock.calls[0]?.[0].aborted).toBe(true);
  });

  it('names are unique', async () => {
    @Module({ providers: [{ provide: HEALTH_INDICATOR, useValue: queue }] })
    class OtherModule {}
    await expect(boot(QueueModule, OtherModule)).rejects.toThrow(
      'HEALTH_INDICATOR is named queue in QueueModule and OtherModule: names are unique.',
    );
  });

  it.each([{ name: 'Not a name', check: () => Promise.resolve() }, { name: 'queue' }, null])(
    'what is none is refused: %p',
    async (useValue) => {
      @Module({ providers: [{ provide: HEALTH_INDICATOR, useValue: useValue as HealthIndicator }] })
      class WrongModule {}
      await expect(boot(WrongModule)).rejects.toThrow('HEALTH_INDICATOR in WrongModule must have a name');
    },
  );
});
