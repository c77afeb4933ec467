import { SubCommand } from 'nest-commander';
import { AccountCommand } from './account-command';
import { checkedPassword } from './checked-password';
import { PasswordFileOption, readPassword } from './read-password';

@SubCommand({
  name: 'set-password',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Give an account a new password, asked for or read from standard input; who is signed in has to sign in again',
})
export class UsersSetPasswordCommand extends AccountCommand {
  @PasswordFileOption()
  passwordFile(path: string): string {
    return path;
  }

  async run([name = '']: string[], { passwordFile }: { passwordFile?: string }): Promise<void> {
    const password = checkedPassword(await readPassword(this.io, passwordFile));
    const { username } = await this.change(name, (accounts, account) =>
      accounts.setPassword(account, password),
    );
    this.io.print(`"${username}" has a new password.`);
  }
}
