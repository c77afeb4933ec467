import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { prepareDatabase } from './src/platform/database/database-setup';
import { createDataSource } from './src/platform/database/open-data-source';
import { readEnvironmentFile } from './src/platform/config/environment-file';
import { readEnvironment } from './src/platform/config/environment.module';

/*
 * The database of the current settings, for TypeORM's own commands: `npm run migration:show`,
 * `migration:run`, `migration:revert`, or any other by `npm run typeorm -- COMMAND`. The service itself
 * migrates when it starts.
 */

const tell = (message: string) => process.stderr.write(`${message}\n`);

async function dataSource(): Promise<DataSource> {
  readEnvironmentFile();
  const { database, databasePoolSize } = readEnvironment();
  const source = await createDataSource({
    location: database,
    poolSize: databasePoolSize,
    entities: [join(__dirname, 'src', '**', '*.entity.ts')],
    log: tell,
    warn: tell,
  });
  // The command connects by itself; the extensions must be there before it runs the first migration.
  const connect = source.initialize.bind(source);
  source.initialize = async () => {
    await connect();
    await prepareDatabase(source, { log: tell, warn: tell });
    return source;
  };
  return source;
}

export default dataSource();
