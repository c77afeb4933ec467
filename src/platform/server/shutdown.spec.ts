import { type INestApplication, Logger } from '@nestjs/common';
import { ManualClock } from '../../../test/support/clock';
import { Clock } from '../common/clock';
import { Environment, parseEnvironment } from '../config/environment';
import { DatabaseService } from '../database/database.service';
import { HealthService } from '../health/health.service';
import { ConnectionDraining, stopOnSignals } from './shutdown';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

describe('stopOnSignals', () => {
  const close = jest.fn<Promise<void>, [string]>();
  const drain = jest.fn();
  const markStopping = jest.fn();
  let settings: Record<string, string>;
  const closeAllConnections = jest.fn();
  const cut = jest.fn();
  const clock = new ManualClock();
  const parts = new Map<unknown, unknown>([
    [Clock, clock],
    [DatabaseService, { cut }],
    [ConnectionDraining, { drain }],
    [HealthService, { markStopping }],
  ]);
  const app = {
    close,
    get: (part: unknown) => (part === Environment ? parseEnvironment(settings) : parts.get(part)),
    getHttpServer: () => ({ closeAllConnections }),
  } as unknown as INestApplication;
  const others = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  let exit: jest.SpyInstance;
  let log: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.clearAllMocks();
    settings = { STOP_TIMEOUT: '20' };

    close.mockReturnValue(new Promise(() => undefined));
    drain.mockReturnValue(true);
    exit = jest.spyOn(process, 'exit').mockImplementation();
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    stopOnSignals(app);
  });
  afterEach(() => {
    for (const [signal, listeners] of others) {
      for (const listener of process.listeners(signal)) {
        if (!listeners.includes(listener)) process.removeListener(signal, listener);
      }
    }
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** In this process only; nothing is sent. */
  const signal = (name: (typeof SIGNALS)[number]) => process.emit(name, name);

  it.each(SIGNALS)('at %s health says no, and a clean stop ends the process with code 0', async (name) => {
    let closed!: () => void;
    close.mockReturnValue(new Promise((resolve) => (closed = resolve)));
    signal(name);
    expect(markStopping).toHaveBeenCalledTimes(1);
    expect(close.mock.calls).toEqual([[name]]);
    expect(drain).not.toHaveBeenCalled();
    expect(exit).not.toHaveBeenCalled();
    closed();
    await jest.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('a stop that fails is said, and ends the process with code 1', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const fault = new Error('in a hook');
    close.mockRejectedValue(fault);
    signal('SIGTERM');
    await jest.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(error.mock.calls).toEqual([['The stop has failed', fault]]);
  });

  describe('with a delay', () => {
    beforeEach(() => (settings.STOP_DELAY = '5'));

    it('health says no at once, clients are asked to leave, and the stop begins after it', async () => {
      signal('SIGTERM');
      expect(markStopping).toHaveBeenCalledTimes(1);
      expect(drain).toHaveBeenCalledTimes(1);
      expect(log.mock.calls).toEqual([[expect.stringMatching(/^Stopping in 5 s/)]]);
      await jest.advanceTimersByTimeAsync(4999);
      expect(close).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      expect(close.mock.calls).toEqual([['SIGTERM']]);
    });

    it('nobody waits for a service that does not listen yet', () => {
      drain.mockReturnValue(false);
      signal('SIGTERM');
      expect(close).toHaveBeenCalledTimes(1);
    });

    it('a second signal ends it at once all the same', () => {
      signal('SIGTERM');
      clock.advance(1001);
      signal('SIGTERM');
      expect(exit.mock.calls).toEqual([[1]]);
    });

    it('is contained in the limit', async () => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      signal('SIGTERM');
      await jest.advanceTimersByTimeAsync(20_000);
      expect(cut).toHaveBeenCalledTimes(1);
    });
  });

  it('leaves the signals to others where it is told so', () => {
    const before = SIGNALS.map((name) => process.listenerCount(name));
    stopOnSignals(app)();
    expect(SIGNALS.map((name) => process.listenerCount(name))).toEqual(before);
  });

  it.each(SIGNALS)('says once what %s does', (name) => {
    signal(name);
    expect(log.mock.calls).toEqual([[expect.stringContaining('a second signal stops at once')]]);
    expect(exit).not.toHaveBeenCalled();
  });

  it('takes a signal within a second for the same one', () => {
    signal('SIGINT');
    clock.advance(1000);
    signal('SIGTERM');
    expect(exit).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('ends at once with code 1 when there is another after that', () => {
    signal('SIGTERM');
    clock.advance(1001);
    signal('SIGINT');
    expect(exit.mock.calls).toEqual([[1]]);
  });

  it('at the limit cuts clients and database, and ends the process with code 1 two seconds later', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    signal('SIGTERM');
    jest.advanceTimersByTime(19_999);
    expect([warn, closeAllConnections, cut].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    jest.advanceTimersByTime(1);
    expect([warn, closeAllConnections, cut].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    jest.advanceTimersByTime(1999);
    expect(exit).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(error.mock.calls).toEqual([[expect.stringContaining('it is ended')]]);
  });

  it('does nothing of that before a signal', () => {
    jest.advanceTimersByTime(60_000);
    expect(exit).not.toHaveBeenCalled();
  });
});
