import { existsSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { listedValuesOf, type ModuleReference } from '../../common/module-providers';
import { EXTRA_MIGRATIONS } from '../../database/database.module';
import { postgresDirectory } from '../../database/embedded/data-directory';
import { type ReadOptions } from '../../database/transfer/database-reader';
import type { DatabaseLocation, Environment } from '../../environment/environment';
import { readEnvironment } from '../../environment/environment.module';
import { settingsSchemasOf } from '../../environment/extra-settings';
import { CliError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ROOT_MODULE } from '../start.command';

/**
 * What a command needs that works on databases themselves, below the service: that is not started, because it
 * would migrate what is only to be read, and begin to work on it.
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

  async options(environment: Environment): Promise<ReadOptions> {
    const { database } = environment;
    return {
      location: database,
      extraMigrations: await listedValuesOf<new () => object>(this.root, EXTRA_MIGRATIONS),
      log: (message) => this.io.tell(message),
      warn: (message) => this.io.tell(`Warning: ${message}`),
    };
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
