import { existsSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { Command, CommandRunner, SubCommand } from 'nest-commander';
import { listedValuesOf, type ModuleReference } from '../platform/common/module-providers';
import type { DatabaseLocation, Environment } from '../platform/config/environment';
import { readEnvironment } from '../platform/config/environment.module';
import { settingsSchemasOf } from '../platform/config/extra-settings';
import type { BackupHead, RowBatch } from '../platform/database/backup/backup';
import { readDatabase, type ReadOptions } from '../platform/database/backup/database-reader';
import { EXTRA_MIGRATIONS } from '../platform/database/database.module';
import { postgresDirectory } from '../platform/database/embedded/data-directory';
import { SEALED_SETTINGS } from '../platform/runtime-config/secret-box';
import { CliError, CliIo, CommandGroup, number, Options, UsageError } from './cli-io';
import { ROOT_MODULE } from './service-context';
import { readBackup, refuseExisting, writeBackup } from '../platform/database/backup/backup-file';
import { changeSecret, oldSecretsOf, secretOf } from './secret-change';
import { fillDatabase } from '../platform/database/backup/database-writer';
import { databaseAddress } from '../platform/config/setting-types';
import { explainStartError } from '../platform/server/start-errors';

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

@Injectable()
abstract class DatabaseCommand extends CommandRunner {
  constructor(
    protected readonly io: CliIo,
    protected readonly settings: CommandSettings,
  ) {
    super();
  }
}

/**
 * Prevents a command that reads a database from creating one.
 * @throws CliError if the directory contains no database
 */
function requireDatabase(location: DatabaseLocation): void {
  if (location.kind !== 'directory' || existsSync(postgresDirectory(location.dataDir))) return;
  throw new CliError(
    `There is no database in ${location.dataDir}: DATA_DIR or DATABASE_URL says where it is.`,
  );
}

@SubCommand({
  name: 'backup',
  arguments: '<file>',
  argsDescription: { file: 'where to write; it appears when it is complete' },
  description:
    'Write everything in the database to a file, as it is at one moment, for "db restore" of this or a later version',
})
@Options({ flags: '--force', description: 'replace the file if it exists' })
class DbBackupCommand extends DatabaseCommand {
  async run([path = '']: string[], { force }: { force?: boolean }): Promise<void> {
    const environment = await this.settings.environment();
    requireDatabase(environment.database);
    await refuseExisting(path, force);
    await readDatabase(await this.settings.options(environment), async (stored) => {
      const { backup, tellOutcome } = await changeSecret(this.io, stored, {
        old: oldSecretsOf(environment),
        oldQuestion: 'Secret that the stored provider keys are sealed with (empty: leave them): ',
        new: environment.transferNewSecret,
        newQuestion: 'Secret for the provider keys in the backup (empty: the one they have): ',
      });
      const bytes = await writeBackup(path, backup, force);
      this.settings.printTables(backup.head);
      tellOutcome();
      this.io.tell(`${path}: ${number(bytes)} bytes`);
    });
  }
}

@SubCommand({
  name: 'restore',
  arguments: '<file>',
  argsDescription: { file: 'what "db backup" of this or an earlier version wrote' },
  description:
    'Fill the database of the settings, which must be empty, from a backup; all or nothing, so it can be repeated',
})
class DbRestoreCommand extends DatabaseCommand {
  async run([path = '']: string[]): Promise<void> {
    // Read before the database is opened: a wrong file must not create a database.
    const stored = await readBackup(path);
    const environment = await this.settings.environment();
    const options = await this.settings.options(environment);
    // Resolving the secret may create one, so it is done only if there is something to decrypt.
    const hasKeys = Object.keys(stored.head.encryptedSettings).length > 0;
    const { backup, tellOutcome } = await changeSecret(this.io, stored, {
      old: hasKeys ? oldSecretsOf(environment) : [],
      oldQuestion: 'Secret that the provider keys in the backup are sealed with (empty: leave them): ',
      new: environment.transferNewSecret ?? (hasKeys ? secretOf(environment) : undefined),
    });
    await fillDatabase(options, backup);
    this.settings.printTables(backup.head);
    tellOutcome();
    this.io.tell(`Restored as of ${backup.head.readAt}`);
  }
}

@SubCommand({
  name: 'copy',
  description:
    'Copy everything from the database of the settings to an empty one on a server; all or nothing, so it can be repeated',
})
@Options({
  flags: '--to <address>',
  description: 'the server, postgres://user@host:5432/database; PGPASSWORD may hold the password',
  required: true,
})
class DbCopyCommand extends DatabaseCommand {
  async run(_arguments: string[], { to: url }: { to: string }): Promise<void> {
    if (!databaseAddress().safeParse(url).success) {
      throw new UsageError('--to must be an address postgres://user@host:5432/database');
    }
    const environment = await this.settings.environment();
    const { database } = environment;
    requireDatabase(database);
    if (database.kind === 'server' && database.url === url) {
      throw new UsageError('--to is the database of the settings itself');
    }
    const options = await this.settings.options(environment);
    await readDatabase(options, async (stored) => {
      const { backup, tellOutcome } = await changeSecret(this.io, stored, {
        old: oldSecretsOf(environment),
        oldQuestion: 'Secret that the stored provider keys are sealed with (empty: leave them): ',
        new: environment.transferNewSecret,
        newQuestion:
          'Secret of the service on the new database, its CONFIG_ENCRYPTION_KEY or else JWT_SECRET (empty: the same): ',
      });
      const target = { ...options, location: { kind: 'server', url } as const };
      const batches = explainingSource(backup.batches);
      await fillDatabase(target, { ...backup, batches }).catch(explainTarget);
      this.settings.printTables(backup.head);
      tellOutcome();
    });
  }
}

/** Reports errors of the database that is read as errors of DATABASE_URL. */
async function* explainingSource(batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
  try {
    yield* batches;
  } catch (error) {
    throw new CliError(explainStartError(error), { cause: error });
  }
}

/** Reports all other errors as errors of `--to`. */
function explainTarget(error: unknown): never {
  if (error instanceof CliError) throw error;
  throw new CliError(explainStartError(error).replaceAll('DATABASE_URL', '--to'), { cause: error });
}

@Command({
  name: 'db',
  description: 'Backups of the database, and the way to another one',
  arguments: '[command]',
  subCommands: [DbBackupCommand, DbRestoreCommand, DbCopyCommand],
})
export class DbCommand extends CommandGroup {}
