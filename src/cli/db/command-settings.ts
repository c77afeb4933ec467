import { existsSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { listedValuesOf, type ModuleReference } from '../../common/module-providers';
import type { DatabaseLocation, Environment } from '../../config/environment';
import { readEnvironment } from '../../config/environment.module';
import { settingsSchemasOf } from '../../config/extra-settings';
import type { BackupHead } from '../../database/backup/backup';
import { type ReadOptions } from '../../database/backup/database-reader';
import { EXTRA_MIGRATIONS } from '../../database/database.module';
import { postgresDirectory } from '../../database/embedded/data-directory';
import { SEALED_SETTINGS } from '../../runtime-config/secret-box';
import { CliError } from '../cli-error';
import { CliIo, number } from '../cli-io';
import { ROOT_MODULE } from '../start.command';

/**
 * What the `db` commands need. They work on the database below the service, which is not started: it would
 * migrate what is only to be read.
 */
@Injectable()
export class CommandSettings {
  constructor(
    private readonly io: CliIo,
    @Inject(ROOT_MODULE) private readonly root: ModuleReference,
  ) {}

  async environment(): Promise<Environment> {
    return readEnvironment(await settingsSchemasOf(this.root));
  }

  async options({ database }: Environment): Promise<ReadOptions> {
    return {
      location: database,
      extraMigrations: await listedValuesOf<new () => object>(this.root, EXTRA_MIGRATIONS),
      encryptedSettings: SEALED_SETTINGS,
      log: (message) => this.io.tell(message),
      warn: (message) => this.io.tell(`Warning: ${message}`),
    };
  }

  /** Prints one line for each table, with the rows that were read and found again. */
  printTables({ tables }: BackupHead): void {
    for (const { name, rows } of tables) this.io.print(`${name}\t${rows}`);
    const all = tables.reduce((sum, { rows }) => sum + rows, 0);
    this.io.tell(`${number(all)} rows of ${tables.length} tables`);
  }
}

/**
 * Looking for a database must not make one.
 * @throws CliError where the directory holds none
 */
export function requireDatabase(location: DatabaseLocation): void {
  if (location.kind !== 'directory' || existsSync(postgresDirectory(location.dataDir))) return;
  throw new CliError(
    `There is no database in ${location.dataDir}: DATA_DIR or DATABASE_URL says where it is.`,
  );
}
