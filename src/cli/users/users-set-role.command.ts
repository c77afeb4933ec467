import { SubCommand } from 'nest-commander';
import { ROLES } from '../../common/access/current-user';
import { UsageError } from '../cli-error';
import { AccountCommand } from './account-command';

@SubCommand({
  name: 'set-role',
  arguments: '<username> <role>',
  argsDescription: { username: 'as at a login', role: ROLES.join(' or ') },
  description: "Change a user's role; it counts from the user's next request",
})
export class UsersSetRoleCommand extends AccountCommand {
  async run([name = '', wanted = '']: string[]): Promise<void> {
    const { roles } = this.service;
    const role = roles.find((known) => known === wanted);
    if (role === undefined)
      throw new UsageError(`there is no role "${wanted}"; the roles are ${roles.join(', ')}`);

    const { username, changed, from } = await this.change(name, (accounts, account) =>
      accounts.setRole(account, role),
    );
    this.io.print(
      changed
        ? `"${username}" is now ${role} (was ${from}).`
        : `"${username}" was ${role} already; nothing changed.`,
    );
  }
}
