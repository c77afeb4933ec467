import { SubCommand } from 'nest-commander';
import { AccountCommand } from './account-command';

@SubCommand({
  name: 'enable',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description: 'Open a disabled account again; who was signed in has to sign in again',
})
export class UsersEnableCommand extends AccountCommand {
  async run([name = '']: string[]): Promise<void> {
    const { username, changed } = await this.change(name, (accounts, account) => accounts.enable(account));
    this.io.print(
      `"${username}" ${changed ? 'can be signed in to again' : 'was not disabled; nothing changed'}.`,
    );
  }
}
