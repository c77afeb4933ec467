import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { DatabaseReader } from '../../database/transfer/database-reader';
import { fillDatabase } from '../../database/transfer/database-writer';
import type { TransferPart, TransferParts } from '../../database/transfer/transfer-parts';
import { databaseAddress } from '../../environment/setting-types';
import { explainStartError } from '../../server/start-errors';
import { CliError, UsageError } from '../cli-error';
import { CliIo, Progress } from '../cli-io';
import { CommandSettings, requireDatabase } from './command-settings';
import { printTransfer } from './print-transfer';
import { sealedSettingsOf } from './sealed-settings-of';
import { oldSecretsOf, TravellingSecrets } from './transfer-secrets';

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

  async run(_arguments: string[], { to }: { to: string }): Promise<void> {
    const url = checkedAddress(to);
    const environment = await this.settings.environment();
    const { database } = environment;
    requireDatabase(database);
    if (database.kind === 'server' && database.url === url) {
      throw new UsageError('--to is the database of the settings itself');
    }
    const options = await this.settings.options(environment);
    const progress = new Progress(this.io);
    const { report, secrets } = await DatabaseReader.use(options, async (reader) => {
      const found = await TravellingSecrets.find(this.io, await sealedSettingsOf(reader), {
        old: oldSecretsOf(environment),
        oldQuestion: 'Secret that the stored provider keys are sealed with (empty: leave them): ',
        new: environment.transferNewSecret,
        newQuestion:
          'Secret of the service on the new database, its CONFIG_ENCRYPTION_KEY or else JWT_SECRET (empty: the same): ',
      });
      const target = {
        ...options,
        location: { kind: 'server', url } as const,
        onProgress: (step: string, count: number) => progress.update(step, count),
      };
      const source = new Source(found.change(reader.parts(found.resealed)));
      const report = await fillDatabase(target, source.parts()).catch((error: unknown) => {
        throw source.error === error ? error : aboutTarget(error);
      });
      return { report, secrets: found };
    }).finally(() => progress.done());
    printTransfer(this.io, report);
    secrets.tell();
  }
}

/** What is read, and with what error that ended: any other is the target's. */
class Source {
  error: unknown;

  constructor(private readonly read: TransferParts) {}

  async *parts(): AsyncGenerator<TransferPart> {
    try {
      yield* this.read;
    } catch (error) {
      this.error = error;
      throw error;
    }
  }
}

/** Explained as an error of a database server is, which is that of `--to` here. */
const aboutTarget = (error: unknown): CliError =>
  new CliError(explainStartError(error).replaceAll('DATABASE_URL', '--to'), { cause: error });

/** @throws UsageError where it is no address of a server */
function checkedAddress(text: string): string {
  if (!databaseAddress().safeParse(text).success) {
    throw new UsageError('--to must be an address postgres://user@host:5432/database');
  }
  return text;
}
