import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';

/** The databases that an application has opened, or begun to open, during its creation. */
interface Opened {
  readonly dataSources: Promise<DataSource>[];
  readonly isCommand: boolean;
  hasFailed: boolean;
}

/**
 * Time that closing may take, in milliseconds. It may never end, because modules that have not started may wait for
 * events that never come, and a database that is being opened may wait for the migrations of another instance.
 */
const CLOSE_PATIENCE_MS = 10_000;

const openedNow = new AsyncLocalStorage<Opened>();
let applicationsBeingMade = 0;

/**
 * Creates and starts an application. If either fails, the application and its database are closed: Nest returns
 * nothing to close if creation fails, and an embedded database would keep the process alive and its directory
 * locked.
 * @param isCommand true if it may use the database of a running service
 * @throws errors of `make` and `start`
 */
export async function startOrClose<App extends INestApplicationContext>(
  make: () => Promise<App>,
  start: (app: App) => Promise<unknown>,
  isCommand = false,
): Promise<App> {
  const opened: Opened = { dataSources: [], isCommand, hasFailed: false };
  let app: App | undefined;
  try {
    app = await makeWithin(opened, make);
    await start(app);
    return app;
  } catch (error) {
    opened.hasFailed = true;
    // Errors of closing are ignored: the first error is the reason.
    await atMost(CLOSE_PATIENCE_MS, app?.close());
    const closings = opened.dataSources.map(async (dataSource) => (await dataSource).destroy());
    await atMost(CLOSE_PATIENCE_MS, Promise.allSettled(closings));
    throw error;
  }
}

async function makeWithin<App>(opened: Opened, make: () => Promise<App>): Promise<App> {
  applicationsBeingMade += 1;
  const app = await openedNow.run(opened, make);
  applicationsBeingMade -= 1;
  // Before Node.js 24, an enabled storage slows down every promise of the process. After a failure it stays
  // enabled, because modules of the application may still be running.
  if (applicationsBeingMade === 0) openedNow.disable();
  return app;
}

/** The timer keeps the process alive, so that it can report the reason. */
async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, silence]).catch(() => undefined);
  clearTimeout(timer);
}

/** Opens a database, and registers it with the application that is being created. */
export async function openForStart(open: (isCommand: boolean) => Promise<DataSource>): Promise<DataSource> {
  const opened = openedNow.getStore();
  // Nest continues with other modules after one has failed. Nothing would close this database later.
  if (opened?.hasFailed) throw new Error('The database is not opened: the application has failed to start');
  const dataSource = open(opened?.isCommand ?? false);
  opened?.dataSources.push(dataSource);
  return dataSource;
}
