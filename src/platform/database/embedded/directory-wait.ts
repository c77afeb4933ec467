import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedDatabaseInUseError } from './errors';

/** Longer than a service takes to stop (`STOP_TIMEOUT`, 25 s by default). */
const TIMEOUT_MS = 30_000;
const RETRY_MS = 250;

/**
 * Opens a data directory for a service. During a restart the previous process may still be stopping, so this waits
 * until the directory is unlocked.
 * @throws EmbeddedDatabaseInUseError if it is still in use after 30 s
 */
export async function openWhenFree<T>(open: () => Promise<T>, log: (message: string) => void): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof EmbeddedDatabaseInUseError) || performance.now() >= deadline) throw error;
      if (attempt === 1) log(`${error.message} Waiting for it for up to ${TIMEOUT_MS / 1000} s`);
    }
    await pause(RETRY_MS);
  }
}
