import { type INestApplicationContext, Logger } from '@nestjs/common';
import { stopOnSignals } from './stop-signals';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

describe('stopOnSignals', () => {
  const enableShutdownHooks = jest.fn();
  const app = { enableShutdownHooks } as unknown as INestApplicationContext;
  const others = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  let exit: jest.SpyInstance;
  let log: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
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

  it('leaves the stop to Nest, which ends the process with code 0', () => {
    expect(enableShutdownHooks).toHaveBeenCalledWith([...SIGNALS], { useProcessExit: true });
  });

  it.each(SIGNALS)('says once what %s does', (name) => {
    signal(name);
    expect(log.mock.calls).toEqual([[expect.stringContaining('a second signal stops at once')]]);
    expect(exit).not.toHaveBeenCalled();
  });

  it('takes a signal within a second for the same one', () => {
    signal('SIGINT');
    jest.advanceTimersByTime(1000);
    signal('SIGTERM');
    expect(exit).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('ends at once with code 1 when there is another after that', () => {
    signal('SIGTERM');
    jest.advanceTimersByTime(1001);
    signal('SIGINT');
    expect(exit.mock.calls).toEqual([[1]]);
  });
});
