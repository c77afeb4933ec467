import { CommandRunner, SubCommand } from 'nest-commander';
import { AuthService } from '../../auth/auth.service';
import { usernameProblem } from '../../auth/credential-rules';
import { ConflictError } from '../../common/errors/service-error';
import { CliError, UsageError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { checkedPassword } from './checked-password';
import { PasswordFileOption, readPassword } from './read-password';

@SubCommand({
  name: 'create-admin',
  arguments: '<username>',
  argsDescription: { username: 'to sign in with' },
  description:
    'Create an account with the role admin; the password is asked for, or read from standard input',
})
export class UsersCreateAdminCommand extends CommandRunner {
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
