import { CommandRunner, SubCommand } from 'nest-commander';
import { readBackup } from '../../database/transfer/backup-file';
import { fillDatabase } from '../../database/transfer/database-writer';
import type { TransferHead } from '../../database/transfer/transfer-parts';
import { CliIo, Progress } from '../cli-io';
import { CommandSettings } from './command-settings';
import { printTransfer } from './print-transfer';
import { oldSecretsOf, secretOf, TravellingSecrets } from './transfer-secrets';

@SubCommand({
  name: 'restore',
  arguments: '<file>',
  argsDescription: { file: 'what "db backup" of this or an earlier version wrote' },
  description:
    'Fill the database of the settings, which must be empty, from a backup; all or nothing, so it can be repeated',
})
export class DbRestoreCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly settings: CommandSettings,
  ) {
    super();
  }

  async run([path = '']: string[]): Promise<void> {
    const head = await headOf(path);
    const environment = await this.settings.environment();
    const options = await this.settings.options(environment);
    // Asking for it may make one: not where nothing needs it.
    const isSealed = Object.keys(head.sealed).length > 0;
    const secrets = await TravellingSecrets.find(this.io, head.sealed, {
      old: isSealed ? oldSecretsOf(environment) : [],
      oldQuestion: 'Secret that the provider keys in the backup are sealed with (empty: leave them): ',
      new: environment.transferNewSecret ?? (isSealed ? secretOf(environment) : undefined),
    });
    const progress = new Progress(this.io);
    const report = await fillDatabase(
      { ...options, onProgress: (step, count) => progress.update(step, count) },
      secrets.change(readBackup(path)),
    ).finally(() => progress.done());
    printTransfer(this.io, report);
    secrets.tell();
    this.io.tell(`Restored as of ${head.readAt}`);
  }
}

/** Read before the database is opened: a file that is none must not make a database. */
async function headOf(path: string): Promise<TransferHead> {
  for await (const part of readBackup(path)) if (part.kind === 'head') return part;
  // readBackup throws where there is no head.
  throw new Error(`${path} has no head`);
}
