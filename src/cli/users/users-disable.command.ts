import { CommandRunner, SubCommand } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { accountNamed } from './account-named';

@SubCommand({
  name: 'disable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Close an account: it cannot be signed in to, and who is signed in no longer is; its records stay',
})
export class UsersDisableCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.service.use(async (service) =>
      accountNamed(name, await service.get(AccountsService).disable(name.trim())),
    );
    this.io.print(`"${username}" ${changed ? 'is disabled' : 'was disabled already; nothing changed'}.`);
  }
}
