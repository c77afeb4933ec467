import { CliIo, ServiceContext, UsageError } from 'formula-development-service/cli';
import { Command, CommandRunner } from 'nest-commander';
import { TeamsService } from './teams.service';

// #region command
/** `npm run cli -- join-team ann "Skin care"` */
@Command({
  name: 'join-team',
  arguments: '<username> <team>',
  description: 'Makes a user a member of a team',
})
export class JoinTeamCommand extends CommandRunner {
  constructor(
    private readonly io: CliIo, // where it reads and writes
    private readonly service: ServiceContext, // opened when the arguments have been checked
  ) {
    super();
  }

  async run([username = '', team = '']: string[]): Promise<void> {
    if (team.trim() === '') throw new UsageError('a team has a name');
    await this.service.use((service) => service.get(TeamsService).join(username, team.trim()));
    this.io.print(`${username} is in ${team.trim()}.`);
  }
}
// #endregion
