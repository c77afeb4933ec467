import { CommandRunner, SubCommand } from 'nest-commander';
import { readBackup } from '../../platform/database/backup/backup-file';
import { fillDatabase } from '../../platform/database/backup/database-writer';
import { CliIo } from '../cli-io';
import { CommandSettings } from './command-settings';
import { changeSecret, oldSecretsOf, secretOf } from './secret-change';

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
