import { NestFactory } from '@nestjs/core';
import { configureApp } from './app.factory';
import { AppModule } from './app.module';
import { parseEnvironment } from './platform/config/environment';
import { readEnvironment } from './platform/config/environment.module';
import { FastExpressAdapter } from './platform/server/fast-express.adapter';
import { ServiceLogger } from './platform/server/service-logger';
import { stopOnSignals } from './platform/server/shutdown';
import { startService } from './start-service';

jest.mock('./app.factory');
jest.mock('./app.module', () => ({ AppModule: class {} }));
jest.mock('./platform/config/environment.module');
jest.mock('./platform/server/shutdown');

describe('startService', () => {
  const TAKEN = 99;
  const steps: unknown[][] = [];
  const configured: unknown[] = [];
  const said: unknown[][] = [];
  const logger = { log: (...words: unknown[]) => said.push(words) } as unknown as ServiceLogger;
  let create: jest.SpyInstance;

  /** Starts a service of these settings that then says it is at this address. */
  async function start(
    settings: Record<string, string>,
    url: string,
    ...how: Parameters<typeof startService>
  ) {
    const environment = parseEnvironment(settings);
    jest.mocked(readEnvironment).mockReturnValue(environment);
    const app = {
      listen: async (...where: unknown[]) => {
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(['listening', ...where]);
        if (where[0] === TAKEN) throw new Error('taken');
      },
      getUrl: () => Promise.resolve(url),
      close: () => Promise.resolve(steps.push(['closed'])),
    };
    const loggerFor = jest.spyOn(ServiceLogger, 'for').mockReturnValue(logger);
    create = jest.spyOn(NestFactory, 'create').mockResolvedValue(app as never);
    jest.mocked(configureApp).mockImplementation((given) => {
      configured.push(given);
      return given;
    });
    jest.mocked(stopOnSignals).mockImplementation((given) => {
      expect(configured).toEqual([given]);
      steps.push(['stops', given === (app as never)]);
      return () => steps.push(['signals are left']);
    });
    const started = await startService(...how);
    expect(started).toBe(app);
    if (!how[1]?.logger) expect(loggerFor).toHaveBeenCalledWith(environment);
  }

  beforeEach(() => {
    steps.length = 0;
    configured.length = 0;
    said.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [{ PORT: '7' }, 'http://[::1]:7', [7], 'http://localhost:7/api'],
    [
      { PORT: '0', HOST: '127.0.0.1' },
      'http://127.0.0.1:4711',
      [0, '127.0.0.1'],
      'http://localhost:4711/api',
    ],
    [{ PORT: '80' }, 'http://127.0.0.1:80', [80], 'http://localhost:80/api'],
  ])('of %j listens where they say, and says where', async (settings, url, where, base) => {
    await start(settings, url);
    expect(steps).toEqual([
      ['stops', true],
      ['listening', ...where],
    ]);
    expect(said).toEqual([
      [`Listening on ${base}`, 'Service'],
      [`API page: ${base}/docs`, 'Service'],
    ]);
  });

  it('says nothing of a page that is not served', async () => {
    await start({ API_DOCS: 'false' }, 'http://127.0.0.1:3001');
    expect(said).toEqual([['Listening on http://localhost:3001/api', 'Service']]);
  });

  it('makes the service, or what it is extended to, with its own logger; errors are the caller’s', async () => {
    const options = { logger, abortOnError: false };
    await start({}, 'http://127.0.0.1:1');
    expect(create).toHaveBeenCalledWith(AppModule, expect.any(FastExpressAdapter), options);
    class Extended {}
    configured.length = 0;
    await start({}, 'http://127.0.0.1:1', Extended);
    expect(create).toHaveBeenCalledWith(Extended, expect.any(FastExpressAdapter), options);
  });

  it('writes to another logger where one is given', async () => {
    const others: unknown[][] = [];
    const other = { log: (...words: unknown[]) => others.push(words) } as unknown as ServiceLogger;
    await start({ API_DOCS: 'false' }, 'http://127.0.0.1:1', AppModule, { logger: other });
    const options = { logger: other, abortOnError: false };
    expect(create).toHaveBeenCalledWith(AppModule, expect.any(FastExpressAdapter), options);
    expect(others).toEqual([['Listening on http://localhost:1/api', 'Service']]);
    expect(said).toEqual([]);
  });

  it('waits for what is to be done before it listens', async () => {
    const beforeListen = async (app: object) => {
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(['prepared', 'listen' in app]);
    };
    await start({ PORT: '7' }, 'http://127.0.0.1:7', AppModule, { beforeListen });
    expect(steps).toEqual([
      ['stops', true],
      ['prepared', true],
      ['listening', 7],
    ]);
  });

  it('is closed, and does not listen, where that fails', async () => {
    const beforeListen = () => Promise.reject(new Error('not prepared'));
    await expect(start({}, 'http://127.0.0.1:7', AppModule, { beforeListen })).rejects.toThrow(
      'not prepared',
    );
    expect(steps).toEqual([['stops', true], ['signals are left'], ['closed']]);
  });

  it('is closed where it cannot listen', async () => {
    await expect(start({ PORT: String(TAKEN) }, '')).rejects.toThrow('taken');
    expect(steps.slice(1)).toEqual([['listening', TAKEN], ['signals are left'], ['closed']]);
  });
});
