import type { HttpAdapterHost } from '@nestjs/core';
import { parseEnvironment } from '../config/environment';
import { ConfigurationPolling } from './configuration-polling';
import type { RuntimeConfiguration } from './runtime-configuration';
import type { RuntimeSettingsRepository } from './runtime-settings.repository';

const SERVER = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };

describe('ConfigurationPolling', () => {
  const refresh = jest.fn(() => Promise.resolve());
  const start = (settings: Record<string, string>, host: object) => {
    const polling = new ConfigurationPolling(
      parseEnvironment({ NODE_ENV: 'test', ...settings }),
      host as HttpAdapterHost,
      {} as RuntimeSettingsRepository,
      { refresh } as unknown as RuntimeConfiguration,
    );
    polling.onApplicationBootstrap();
    return polling;
  };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    refresh.mockReset().mockResolvedValue();
  });

  it('refreshes within a second, again and again, also after a failure, until the application is shut down', async () => {
    refresh.mockRejectedValueOnce(new Error('away'));
    const polling = start(SERVER, { httpAdapter: {} });
    await jest.advanceTimersByTimeAsync(3000);
    expect(refresh.mock.calls.length).toBeGreaterThan(3);
    polling.onApplicationShutdown();
    refresh.mockClear();
    await jest.advanceTimersByTimeAsync(3000);
    expect(refresh).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['a command', SERVER, {}],
    ['a service on the embedded database', {}, { httpAdapter: {} }],
  ])('does nothing in %s', async (_, settings, host) => {
    start(settings, host);
    await jest.advanceTimersByTimeAsync(3000);
    expect(refresh).not.toHaveBeenCalled();
  });
});
