import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';

/** The databases that an application has opened, or begun to open, while it is made. */
interface Opened {
  readonly dataSources: Promise<DataSource>[];
  readonly isCommand: boolean;
  hasFailed: boolean;
}

/**
 * How long closing is waited for, in milliseconds: what has not begun may wait at its end for what never
 * comes, and a database that is being opened for another instance's migrations.
 */
const CLOSE_PATIENCE_MS = 10_000;

const openedNow = new AsyncLocalStorage<Opened>();
let applicationsBeingMade = 0;

/**
 * Makes an application and starts it. Where either fails it is closed, and so is its database: of an
 * application that fails half-way Nest gives nothing that could be closed, and an embedded database would
 * keep the process alive and its directory locked.
 * @param isCommand whether it may work on the database of a service that has it open
 * @throws what `make` or `start` throws
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
    // What fails now is of less interest than the reason.
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
  // Before Node.js 24 every promise of the process pays for a storage that is enabled. After a failure it stays:
  // modules of the application may still go on.
  if (applicationsBeingMade === 0) openedNow.disable();
  return app;
}

/** The timer keeps the process: one that ended here would not tell its reason. */
async function atMost(patience: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise((resolve) => (timer = setTimeout(resolve, patience)));
  await Promise.race([work, silence]).catch(() => undefined);
  clearTimeout(timer);
}

/** Opens a database for the application that is being made, if one is. */
export async function openForStart(open: (isCommand: boolean) => Promise<DataSource>): Promise<DataSource> {
  const opened = openedNow.getStore();
  // Nest goes on with other modules after one has failed; nobody would close it any more.
  if (opened?.hasFailed) throw new Error('The database is not opened: the application has failed to start');
  const dataSource = open(opened?.isCommand ?? false);
  opened?.dataSources.push(dataSource);
  return dataSource;
}
