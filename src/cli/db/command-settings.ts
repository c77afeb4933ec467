import { existsSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { listedValuesOf, type ModuleReference } from '../../platform/common/module-providers';
import type { DatabaseLocation, Environment } from '../../platform/config/environment';
import { readEnvironment } from '../../platform/config/environment.module';
import { settingsSchemasOf } from '../../platform/config/extra-settings';
import type { BackupHead } from '../../platform/database/backup/backup';
import { type ReadOptions } from '../../platform/database/backup/database-reader';
import { EXTRA_MIGRATIONS } from '../../platform/database/database.module';
import { postgresDirectory } from '../../platform/database/embedded/data-directory';
import { SEALED_SETTINGS } from '../../platform/runtime-config/secret-box';
import { CliError } from '../cli-error';
import { CliIo, number } from '../cli-io';
import { ROOT_MODULE } from '../start.command';

/**
 * Settings of the `db` commands. These access the database directly and do not start the service, because it would
 * migrate a database that is only read.
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

  /** Prints one line per table with the number of rows that were read and verified. */
  printTables({ tables }: BackupHead): void {
    for (const { name, rows } of tables) this.io.print(`${name}\t${rows}`);
    const all = tables.reduce((sum, { rows }) => sum + rows, 0);
    this.io.tell(`${number(all)} rows of ${tables.length} tables`);
  }
}

/**
 * Prevents a command that reads a database from creating one.
 * @throws CliError if the directory contains no database
 */
export function requireDatabase(location: DatabaseLocation): void {
  if (location.kind !== 'directory' || existsSync(postgresDirectory(location.dataDir))) return;
  throw new CliError(
    `There is no database in ${location.dataDir}: DATA_DIR or DATABASE_URL says where it is.`,
  );
}
