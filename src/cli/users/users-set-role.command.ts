import { CommandRunner, SubCommand } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { type Role, ROLES } from '../../common/access/current-user';
import { UsageError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { accountNamed } from './account-named';

@SubCommand({
  name: 'set-role',
  arguments: '<username> <role>',
  argsDescription: { username: 'as at a login', role: ROLES.join(' or ') },
  description: "Change a user's role; it counts from the user's next request",
})
export class UsersSetRoleCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  async run([name = '', wanted = '']: string[]): Promise<void> {
    const role = ROLES.find((known): known is Role => known === wanted);
    if (role === undefined)
      throw new UsageError(`there is no role "${wanted}"; the roles are ${ROLES.join(', ')}`);

    const { username, changed, from } = await this.service.use(async (service) =>
      accountNamed(name, await service.get(AccountsService).setRole(name.trim(), role)),
    );
    this.io.print(
      changed
        ? `"${username}" is now ${role} (was ${from}).`
        : `"${username}" was ${role} already; nothing changed.`,
    );
  }
}
