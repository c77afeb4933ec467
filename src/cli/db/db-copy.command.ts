import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { databaseAddress } from '../../platform/config/setting-types';
import type { RowBatch } from '../../platform/database/backup/backup';
import { readDatabase } from '../../platform/database/backup/database-reader';
import { fillDatabase } from '../../platform/database/backup/database-writer';
import { explainStartError } from '../../platform/server/start-errors';
import { CliError, UsageError } from '../cli-error';
import { CliIo } from '../cli-io';
import { CommandSettings, requireDatabase } from './command-settings';
import { changeSecret, oldSecretsOf } from './secret-change';

@SubCommand({
  name: 'copy',
  description:
    'Copy everything from the database of the settings to an empty one on a server; all or nothing, so it can be repeated',
})
export class DbCopyCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly settings: CommandSettings,
  ) {
    super();
  }

  @Option({
    flags: '--to <address>',
    description: 'the server, postgres://user@host:5432/database; PGPASSWORD may hold the password',
    required: true,
  })
  to(address: string): string {
    return address;
  }

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
