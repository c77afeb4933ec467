import { CommandRunner } from 'nest-commander';
import { UsageError } from './cli-error';

/** A command that consists only of subcommands. */
export abstract class CommandGroup extends CommandRunner {
  // eslint-disable-next-line @typescript-eslint/require-await -- a rejected promise, as of any command
  async run([word]: string[]): Promise<void> {
    const names = this.command.commands.map((command) => command.name()).join(', ');
    const fault = word === undefined ? 'a command is missing' : `there is no command "${word}"`;
    throw new UsageError(`${fault}; ${this.command.name()} has: ${names}`);
  }
}
