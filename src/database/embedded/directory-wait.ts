import { setTimeout as pause } from 'node:timers/promises';
import { isServed } from './commands/running-service';
import { EmbeddedDatabaseInUseError } from './errors';

/** How long a directory is waited for, and how often it is tried (ms). */
const PATIENCE_MS = 60_000;
const TRY_EVERY_MS = 250;

/**
 * Opens a data directory for a service, which waits for whoever has it and will end soon: a command, or a
 * service that stops. One that runs has a socket for commands, and is not waited for.
 * @throws EmbeddedDatabaseInUseError when the time is over, or a service runs there
 */
export async function openWhenFree<T>(
  dataDir: string,
  open: () => Promise<T>,
  log: (message: string) => void,
): Promise<T> {
  let end: number | undefined;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof EmbeddedDatabaseInUseError) || (await isServed(dataDir))) throw error;
      const now = performance.now();
      if (end === undefined) log(`${error.situation}: waiting up to ${PATIENCE_MS / 1000} s for its end`);
      else if (now >= end) throw error;
      end ??= now + PATIENCE_MS;
    }
    await pause(TRY_EVERY_MS);
  }
}
