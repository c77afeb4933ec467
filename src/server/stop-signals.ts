import { type INestApplicationContext, Logger, ShutdownSignal } from '@nestjs/common';

/** Ctrl-C and supervisors. Not SIGHUP: listening to it would undo what `nohup` does. */
const STOP_SIGNALS = [ShutdownSignal.SIGINT, ShutdownSignal.SIGTERM];

/**
 * npm passes on the Ctrl-C that the terminal already sent to everybody: within this time, in milliseconds, it
 * is the same one.
 */
const SAME_SIGNAL = 1000;

/** Ends the process with code 0 after a clean stop; a second signal ends it at once with code 1. */
export function stopOnSignals(app: INestApplicationContext): void {
  let first: number | undefined;
  const logger = new Logger('Service');
  const onSignal = () => {
    const now = Date.now();
    if (first === undefined) {
      first = now;
      logger.log('Stopping: requests in progress are answered first; a second signal stops at once');
    } else if (now - first > SAME_SIGNAL) {
      process.exit(1);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  app.enableShutdownHooks(STOP_SIGNALS, { useProcessExit: true });
}
