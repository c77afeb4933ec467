import { CommandRunner, SubCommand } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { visible } from '../visible';

@SubCommand({
  name: 'list',
  description: 'List all accounts, the oldest first, in columns separated by tabs',
})
export class UsersListCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  async run(): Promise<void> {
    const users = await this.service.use((service) => service.get(AccountsService).list());
    this.io.print(['id', 'role', 'created', 'disabled', 'username'].join('\t'));
    for (const { id, role, createdAt, disabledAt, username } of users) {
      this.io.print([id, role, createdAt, disabledAt ?? '-', visible(username)].join('\t'));
    }
  }
}
