import { Command, SubCommand } from 'nest-commander';
import { RuntimeConfiguration } from '../platform/runtime-config/runtime-configuration';
import { CliError, CommandGroup } from './cli-io';
import { ServiceCommand } from './service-context';

@SubCommand({
  name: 'reseal',
  description: 'Encrypt stored provider keys and addresses anew, after a rotation of their secret',
})
class ConfigResealCommand extends ServiceCommand {
  /** @throws CliError if a value cannot be decrypted with any of the secrets */
  run(): Promise<void> {
    return this.service.use(async (service) => {
      const { anew, before, closed } = await service.get<RuntimeConfiguration>(RuntimeConfiguration).reseal();
      this.io.print(
        `${anew.length} sealed anew${listed(anew)}, ${before.length} were already${listed(before)}`,
      );
      if (closed.length === 0) return;
      throw new CliError(
        `${closed.join(', ')} cannot be decrypted with any of the secrets: set the one it was stored with as ` +
          'CONFIG_ENCRYPTION_KEY_PREVIOUS (or JWT_SECRET_PREVIOUS), or enter it again',
      );
    });
  }
}

const listed = (names: readonly string[]) => (names.length > 0 ? ` (${names.join(', ')})` : '');

@Command({
  name: 'config',
  description: 'The configuration that is stored in the database',
  arguments: '[command]',
  subCommands: [ConfigResealCommand],
})
export class ConfigCommand extends CommandGroup {}
