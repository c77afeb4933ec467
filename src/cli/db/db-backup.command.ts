import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { refuseExisting, writeBackup } from '../../database/transfer/backup-file';
import { DatabaseReader } from '../../database/transfer/database-reader';
import { CliIo, number, Progress } from '../cli-io';
import { CommandSettings, requireDatabase } from './command-settings';
import { sealedSettingsOf } from './sealed-settings-of';
import { toldRows } from './tell-progress';
import { oldSecretsOf, TravellingSecrets } from './transfer-secrets';

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
    const progress = new Progress(this.io);
    const options = await this.settings.options(environment);
    const { bytes, secrets } = await DatabaseReader.use(options, async (reader) => {
      const found = await TravellingSecrets.find(this.io, await sealedSettingsOf(reader), {
        old: oldSecretsOf(environment),
        oldQuestion: 'Secret that the stored provider keys are sealed with (empty: leave them): ',
        new: environment.transferNewSecret,
        newQuestion: 'Secret for the provider keys in the backup (empty: the one they have): ',
      });
      const parts = toldRows(found.change(reader.parts(found.resealed)), progress);
      return { bytes: await writeBackup(path, parts, force), secrets: found };
    }).finally(() => progress.done());
    secrets.tell();
    this.io.tell(`${path}: ${number(bytes)} bytes`);
  }
}
