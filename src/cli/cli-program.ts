import { Injectable } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { ExtensionError } from '../common/extension-tokens';
import { APP_OPTION } from './application-file';
import { CliIo } from './cli-io';

/** What is used here of commander's `Command`. */
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

/** The command line as a whole. */
@Injectable()
export class CliProgram {
  constructor(
    @InjectCommander() private readonly root: object,
    private readonly io: CliIo,
  ) {}

  /** Settings that commander does not hand down to commands added from outside. */
  prepare(): void {
    const program = this.root as Program;
    program.name('formula-service').description('The formula development service and its commands');
    // Taken out of the command line before it comes here: it says which commands there are.
    program.option(APP_OPTION.flags, APP_OPTION.description);
    this.prepareAll(program);
  }

  private prepareAll(program: Program): void {
    program
      // Not process.exit: whoever runs the commands decides what an exit code does.
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
