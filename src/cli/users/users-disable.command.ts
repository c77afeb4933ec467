import { SubCommand } from 'nest-commander';
import { AccountCommand } from './account-command';

@SubCommand({
  name: 'disable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Close an account: it cannot be signed in to, and who is signed in no longer is; its records stay',
})
export class UsersDisableCommand extends AccountCommand {
  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.change(name, (accounts, account) => accounts.disable(account));
    this.io.print(`"${username}" ${changed ? 'is disabled' : 'was disabled already; nothing changed'}.`);
  }
}
