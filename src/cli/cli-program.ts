import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { ExtensionError } from '../platform/common/extension-tokens';
import { APP_OPTION } from './application-file';
import { CliIo } from './cli-io';

/** The methods of commander's `Command` that are used here. */
interface Program {
  readonly commands: readonly Program[];
  name(): string;
  name(name: string): this;
  description(text: string): this;
  option(flags: string, description: string): this;
  exitOverride(handler: (error: Error) => never): this;
  configureOutput(output: { writeOut(text: string): void; writeErr(text: string): void }): this;
  allowExcessArguments(allow: boolean): this;
}

/** The root of the command line. */
@Injectable()
export class CliProgram {
  constructor(
    @InjectCommander() private readonly root: object,
    private readonly io: CliIo,
  ) {}

  /** Applies settings to all commands, because commander does not pass them on to commands added from outside. */
  prepare(): void {
    const program = this.root as Program;
    program.name('formula-service').description('The formula development service and its commands');
    // Documented only: the option has been removed from the command line, because its file determines the commands.
    program.option(APP_OPTION.flags, APP_OPTION.description);
    this.prepareAll(program);
  }

  private prepareAll(program: Program): void {
    program
      // Throw instead of calling process.exit, so that the caller decides about the exit code.
      .exitOverride((error) => {
        throw error;
      })
      .configureOutput({
        writeOut: (text) => this.io.stdout.write(text),
        writeErr: (text) => this.io.stderr.write(text),
      });
    if (program.commands.length === 0) program.allowExcessArguments(false);
    const names = program.commands.map((command) => command.name());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) {
      throw new ExtensionError(
        `EXTRA_COMMANDS: there is a command '${twice}' already, and names are unique.`,
      );
    }
    program.commands.forEach((command) => this.prepareAll(command));
  }
}
