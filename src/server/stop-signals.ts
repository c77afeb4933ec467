import type { Server } from 'node:http';
import { type INestApplication, Logger, ShutdownSignal } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Database } from '../database/database';
import { Environment } from '../environment/environment';
import { Readiness } from '../health/readiness';
import { ConnectionDraining } from './connection-draining';

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
 * Ends the process with code 0 after a clean stop; a second signal ends it at once with code 1. From the
 * signal on health says 503; the service goes on for the delay of the settings, so that whoever sends it
 * requests hears of it first. What has not ended at the limit of the settings is cut, and two seconds later
 * the process ends with code 1 in any case.
 * @returns what leaves the signals to others again, where the application is closed without one
 */
export function stopOnSignals(app: INestApplication): () => void {
  const clock = app.get(Clock);
  let first: number | undefined;
  const logger = new Logger('Service');
  const onSignal = (signal: NodeJS.Signals) => {
    const now = clock.elapsed();
    if (first === undefined) {
      first = now;
      endInTime(app, logger);
      void leave(app, logger, signal);
    } else if (now - first > SAME_SIGNAL) {
      process.exit(1);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  };
}

async function leave(app: INestApplication, logger: Logger, signal: string): Promise<void> {
  app.get(Readiness).leave();
  const delay = app.get(Environment).stopDelaySeconds;
  // Nobody waits for one that does not listen yet.
  const isDelayed = delay > 0 && app.get(ConnectionDraining).askToLeave();
  const when = isDelayed ? ` in ${delay} s, new requests are answered until then` : '';
  logger.log(`Stopping${when}: requests in progress are answered first; a second signal stops at once`);
  if (isDelayed) await new Promise((resolve) => setTimeout(resolve, delay * 1000));
  try {
    // Nest hands the signal on to hooks, which its type does not tell.
    await (app as { close(signal?: string): Promise<void> }).close(signal);
    process.exit(0);
  } catch (error) {
    logger.error('The stop has failed', error);
    process.exit(1);
  }
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
