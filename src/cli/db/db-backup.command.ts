import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { refuseExisting, writeBackup } from '../../platform/database/backup/backup-file';
import { readDatabase } from '../../platform/database/backup/database-reader';
import { CliIo, number } from '../cli-io';
import { CommandSettings, requireDatabase } from './command-settings';
import { changeSecret, oldSecretsOf } from './secret-change';

@SubCommand({
  name: 'backup',
  arguments: '<file>',
  argsDescription: { file: 'where to write; it appears when it is complete' },
  description:
    'Write everything in the database to a file, as it is at one moment, for "db restore" of this or a later version',
})
export class DbBackupCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly settings: CommandSettings,
  ) {
    super();
  }

  @Option({ flags: '--force', description: 'replace the file if it exists' })
  force(): boolean {
    return true;
  }

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
