import { CommandRunner, SubCommand } from 'nest-commander';
import { AccountsService } from '../../auth/accounts.service';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { accountNamed } from './account-named';
import { checkedPassword } from './checked-password';
import { PasswordFileOption, readPassword } from './read-password';

@SubCommand({
  name: 'set-password',
  arguments: '<username>',
  argsDescription: { username: 'as at a login' },
  description:
    'Give an account a new password, asked for or read from standard input; who is signed in has to sign in again',
})
export class UsersSetPasswordCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo,
    private readonly service: ServiceContext,
  ) {
    super();
  }

  @PasswordFileOption()
  passwordFile(path: string): string {
    return path;
  }

  async run([name = '']: string[], { passwordFile }: { passwordFile?: string }): Promise<void> {
    const password = checkedPassword(await readPassword(this.io, passwordFile));
    const { username } = await this.service.use(async (service) =>
      accountNamed(name, await service.get(AccountsService).setPassword(name.trim(), password)),
    );
    this.io.print(`"${username}" has a new password.`);
  }
}
