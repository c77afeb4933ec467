import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { AuthService } from '../../auth/auth.service';
import { MAX_USERNAME } from '../../auth/dto/credentials.dto';
import { ConflictError } from '../../common/errors/service-error';
import { CliError, UsageError } from '../cli-error';
import { CliIo } from '../cli-io';
import { ServiceContext } from '../service-context';
import { checkedPassword } from './checked-password';
import { readPassword } from './read-password';

@SubCommand({
  name: 'create-admin',
  arguments: '<username>',
  argsDescription: { username: 'compared exactly when signing in' },
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

  @Option({ flags: '--password-file <file>', description: 'read the password from the first line of a file' })
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
          `There is a user "${username}" already. "users set-role ${username} admin" makes an admin of an existing user.`,
        );
      }
    });
    this.io.print(`Created admin "${user.username}" (${user.id}).`);
  }
}

function checkedUsername(name: string): string {
  const username = name.trim();
  if (username === '') throw new UsageError('the username is empty');
  if (username.includes('\u0000')) throw new UsageError('the username contains a NUL character');
  if (Array.from(username).length > MAX_USERNAME) {
    throw new UsageError(`the username is longer than ${MAX_USERNAME} characters`);
  }
  return username;
}
