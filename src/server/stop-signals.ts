import type { Server } from 'node:http';
import { type INestApplication, Logger, ShutdownSignal } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Database } from '../database/database';
import { Environment } from '../environment/environment';

/** Ctrl-C and supervisors. Not SIGHUP: listening to it would undo what `nohup` does. */
const STOP_SIGNALS = [ShutdownSignal.SIGINT, ShutdownSignal.SIGTERM];

/**
 * npm passes on the Ctrl-C that the terminal already sent to everybody: within this time, in milliseconds, it
 * is the same one.
 */
const SAME_SIGNAL = 1000;

/** How long the end may take once all connections have been cut, in milliseconds. */
const LAST_WAIT = 2000;

/**
 * Ends the process with code 0 after a clean stop; a second signal ends it at once with code 1. What has not
 * ended at the limit of the settings is cut, and two seconds later the process ends with code 1 in any case.
 * @returns what leaves the signals to others again, where the application is closed without one
 */
export function stopOnSignals(app: INestApplication): () => void {
  const clock = app.get(Clock);
  let first: number | undefined;
  const logger = new Logger('Service');
  const onSignal = () => {
    const now = clock.elapsed();
    if (first === undefined) {
      first = now;
      logger.log('Stopping: requests in progress are answered first; a second signal stops at once');
      endInTime(app, logger);
    } else if (now - first > SAME_SIGNAL) {
      process.exit(1);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  app.enableShutdownHooks(STOP_SIGNALS, { useProcessExit: true });
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  };
}

/** Nothing has to take these timers back: a stop in time ends the process. */
function endInTime(app: INestApplication, logger: Logger): void {
  setTimeout(
    () => {
      logger.warn('The stop has taken too long: connections to clients and to the database are cut');
      (app.getHttpServer() as Server).closeAllConnections();
      app.get(Database).cut();
      setTimeout(() => {
        logger.error('The service has not ended although everything was cut: it is ended');
        process.exit(1);
      }, LAST_WAIT);
    },
    app.get(Environment).stopTimeoutSeconds * 1000,
  );
}
