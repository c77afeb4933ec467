import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AsyncVariable } from '../common/async-context';

/** The databases that an application has opened, or begun to open, while it is made. */
interface Opened {
  readonly dataSources: Promise<DataSource>[];
  hasFailed: boolean;
}

const openedNow = new AsyncVariable<Opened>();

/**
 * Makes an application and starts it. Where either fails it is closed, and so is its database: of an
 * application that fails half-way Nest gives nothing that could be closed, and an embedded database would
 * keep the process alive and its directory locked.
 * @throws what `make` or `start` throws
 */
export async function startOrClose<App extends INestApplicationContext>(
  make: () => Promise<App>,
  start: (app: App) => Promise<unknown>,
): Promise<App> {
  const opened: Opened = { dataSources: [], hasFailed: false };
  let app: App | undefined;
  try {
    app = await openedNow.run(opened, make);
    await start(app);
    return app;
  } catch (error) {
    opened.hasFailed = true;
    // What fails now is of less interest than the reason.
    await app?.close().catch(() => undefined);
    const closings = opened.dataSources.map(async (dataSource) => (await dataSource).destroy());
    await Promise.allSettled(closings);
    throw error;
  }
}

/** Opens a database for the application that is being made, if one is. */
export async function openForStart(open: () => Promise<DataSource>): Promise<DataSource> {
  const opened = openedNow.get();
  // Nest goes on with other modules after one has failed; nobody would close it any more.
  if (opened?.hasFailed) throw new Error('The database is not opened: the application has failed to start');
  const dataSource = open();
  opened?.dataSources.push(dataSource);
  return dataSource;
}
