import { CommandRunner, SubCommand } from 'nest-commander';
import { type Role, ROLES } from '../../common/access/current-user';
import { UsersRepository } from '../../users/users.repository';
import { CliError, UsageError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';

@SubCommand({
  name: 'set-role',
  arguments: '<username> <role>',
  argsDescription: { username: 'exactly as registered', role: ROLES.join(' or ') },
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
    const username = name.trim();
    const role = ROLES.find((known): known is Role => known === wanted);
    if (role === undefined)
      throw new UsageError(`there is no role "${wanted}"; the roles are ${ROLES.join(', ')}`);

    const before = await this.service.use(async (service) => {
      const users = service.get(UsersRepository);
      const user = await users.findCredentials(username);
      if (!user || !(await users.setRole(username, role)))
        throw new CliError(`There is no user "${username}".`);
      return user.role;
    });
    this.io.print(
      before === role
        ? `"${username}" was ${role} already; nothing changed.`
        : `"${username}" is now ${role} (was ${before}).`,
    );
  }
}
