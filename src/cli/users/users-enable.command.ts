import { CommandRunner, SubCommand } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { accountNamed } from './account-named';

@SubCommand({
  name: 'enable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description: 'Open a disabled account again; who was signed in has to sign in again',
})
export class UsersEnableCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.service.use(async (service) =>
      accountNamed(name, await service.get(AccountsService).enable(name.trim())),
    );
    this.io.print(
      `"${username}" ${changed ? 'can be signed in to again' : 'was not disabled; nothing changed'}.`,
    );
  }
}
