import { Command, SubCommand } from 'nest-commander';
import { AccountsService } from '../users/accounts.service';
import { AuthService } from '../users/auth.service';
import { usernameProblem } from '../users/credentials.dto';
import { ROLES } from '../platform/common/current-user';
import { ConflictError } from '../platform/common/errors/service-error';
import { CliError, CommandGroup, UsageError, visible } from './cli-io';
import { ServiceCommand } from './service-context';
import { checkedPassword, PasswordFileOption, readPassword } from './read-password';

/** Base class of commands about accounts. */
abstract class AccountCommand extends ServiceCommand {
  /**
   * Changes an existing account.
   * @param change receives the account's name, and returns undefined if there is no such account
   * @throws CliError if there is no such account
   */
  protected async change<T>(
    given: string,
    change: (accounts: AccountsService, name: string) => Promise<T | undefined>,
  ): Promise<T> {
    const name = given.trim();
    const found = await this.service.use((service) => change(service.get(AccountsService), name));
    if (found === undefined) throw new CliError(`There is no user "${name}".`);
    return found;
  }
}

@SubCommand({
  name: 'list',
  description: 'List all accounts, the oldest first, in columns separated by tabs',
})
class UsersListCommand extends AccountCommand {
  async run(): Promise<void> {
    const users = await this.service.use((service) => service.get(AccountsService).list());
    this.io.print(['id', 'role', 'created', 'disabled', 'username'].join('\t'));
    for (const { id, role, createdAt, disabledAt, username } of users) {
      this.io.print([id, role, createdAt, disabledAt ?? '-', visible(username)].join('\t'));
    }
  }
}

@SubCommand({
  name: 'create-admin',
  arguments: '<username>',
  argsDescription: { username: 'to sign in with' },
  description:
    'Create an account with the role admin; the password is asked for, or read from standard input',
})
@PasswordFileOption()
class UsersCreateAdminCommand extends AccountCommand {
  async run([name = '']: string[], { passwordFile }: { passwordFile?: string }): Promise<void> {
    const username = checkedUsername(name);
    const password = checkedPassword(await readPassword(this.io, passwordFile));
    const user = await this.service.use(async (service) => {
      try {
        return await service.get(AuthService).createUser(username, password, 'admin');
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        throw new CliError(
          `There is a user "${username}", or one that looks the same, already. "users set-role ${username} admin" makes an admin of an existing user.`,
        );
      }
    });
    this.io.print(`Created admin "${user.username}" (${user.id}).`);
  }
}

function checkedUsername(name: string): string {
  const username = name.trim();
  const problem = usernameProblem(username);
  if (problem) throw new UsageError(`the username ${problem}`);
  return username;
}

@SubCommand({
  name: 'set-role',
  arguments: '<username> <role>',
  argsDescription: { username: 'as at a login', role: ROLES.join(' or ') },
  description: "Change a user's role; it counts from the user's next request",
})
class UsersSetRoleCommand extends AccountCommand {
  async run([name = '', wanted = '']: string[]): Promise<void> {
    const { roles } = this.service;
    const role = roles.find((known) => known === wanted);
    if (role === undefined) {
      throw new UsageError(`there is no role "${wanted}"; the roles are ${roles.join(', ')}`);
    }
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

@SubCommand({
  name: 'set-password',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Give an account a new password, asked for or read from standard input; who is signed in has to sign in again',
})
@PasswordFileOption()
class UsersSetPasswordCommand extends AccountCommand {
  async run([name = '']: string[], { passwordFile }: { passwordFile?: string }): Promise<void> {
    const password = checkedPassword(await readPassword(this.io, passwordFile));
    const { username } = await this.change(name, (accounts, account) =>
      accounts.setPassword(account, password),
    );
    this.io.print(`"${username}" has a new password.`);
  }
}

@SubCommand({
  name: 'disable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Close an account: it cannot be signed in to, and who is signed in no longer is; its records stay',
})
class UsersDisableCommand extends AccountCommand {
  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.change(name, (accounts, account) => accounts.disable(account));
    this.io.print(`"${username}" ${changed ? 'is disabled' : 'was disabled already; nothing changed'}.`);
  }
}

@SubCommand({
  name: 'enable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description: 'Open a disabled account again; who was signed in has to sign in again',
})
class UsersEnableCommand extends AccountCommand {
  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.change(name, (accounts, account) => accounts.enable(account));
    this.io.print(
      `"${username}" ${changed ? 'can be signed in to again' : 'was not disabled; nothing changed'}.`,
    );
  }
}

@Command({
  name: 'users',
  description: 'Accounts and their roles',
  arguments: '[command]',
  subCommands: [
    UsersListCommand,
    UsersCreateAdminCommand,
    UsersSetRoleCommand,
    UsersSetPasswordCommand,
    UsersDisableCommand,
    UsersEnableCommand,
  ],
})
export class UsersCommand extends CommandGroup {}
