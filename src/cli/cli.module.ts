import {
  type DynamicModule,
  type INestApplicationContext,
  Inject,
  Injectable,
  Module,
  type Type,
} from '@nestjs/common';
import { Command, CommandRunner, InjectCommander } from 'nest-commander';
import { ExtensionError } from '../platform/common/extension-tokens';
import { CliIo } from './cli-io';
import { type ModuleReference, placedValuesOf } from '../platform/common/module-providers';
import { AiCommand } from './ai.command';
import { ConfigCommand } from './config.command';
import { CommandSettings, DbCommand } from './db.command';
import { DemoCommand } from './demo/demo.command';
import { FILE_COMMANDS } from './import/file-commands';
import { LIMITS_COMMANDS } from './regulations.command';
import { ROOT_MODULE, ServiceContext } from './service-context';
import { UsersCommand } from './users.command';
import { startService } from '../start-service';

@Command({ name: 'start', description: 'Start the service, as the settings in the environment say' })
class StartCommand extends CommandRunner {
  constructor(@Inject(ROOT_MODULE) private readonly module: ModuleReference) {
    super();
  }

  /** Returns when the service listens. The process runs until the service ends. */
  async run(): Promise<void> {
    await startService(this.module);
  }
}

/** The methods of commander's `Command` that are used here. */
interface Program {
  readonly commands: readonly Program[];
  name(): string;
  name(name: string): this;
  description(text: string): this;
  option(flags: string, description: string): this;
  exitOverride(handler: (error: Error) => never): this;
  allowExcessArguments(allow: boolean): this;
}

/** The root of the command line. */
@Injectable()
export class CliProgram {
  constructor(@InjectCommander() private readonly root: object) {}

  /** Applies settings to all commands, because commander does not pass them on to commands added from outside. */
  prepare(): void {
    const program = this.root as Program;
    program.name('formula-service').description('The formula development service and its commands');
    // Documented only: the option has been removed from the command line, because its file determines the commands.
    program.option(
      '--app <file>',
      'the built file with the module of your application, for example ./dist/app.module.js',
    );
    this.prepareAll(program);
  }

  private prepareAll(program: Program): void {
    // Throw instead of calling process.exit, so that the caller decides about the exit code.
    program.exitOverride((error) => {
      throw error;
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

/**
 * Token under which any module provides, as a value, a list of additional commands: classes with nest-commander's
 * `@Command()` or `@SubCommand()`. They may inject `CliIo` and `ServiceContext`.
 */
export const EXTRA_COMMANDS = Symbol('EXTRA_COMMANDS');

export type ExtraCommands = readonly Type<CommandRunner>[];

/** A command, and the module that provides it. */
interface PlacedCommand {
  readonly place: string;
  readonly type: Type<CommandRunner>;
}

/**
 * Returns the commands that modules provide under `EXTRA_COMMANDS`.
 * @throws ExtensionError naming the module if one is not a command, or is not provided as a value
 */
export async function extraCommandsOf(root: ModuleReference): Promise<readonly PlacedCommand[]> {
  return (await placedValuesOf(root, EXTRA_COMMANDS)).flatMap(({ place, value }) => {
    const commands = [value as Partial<Type> | null | undefined].flat();
    if (commands.every((command) => command?.prototype instanceof CommandRunner)) {
      return (commands as Type<CommandRunner>[]).map((type) => ({ place, type }));
    }
    throw new ExtensionError(
      `EXTRA_COMMANDS in ${place} must be a list of classes that extend CommandRunner.`,
    );
  });
}

/**
 * @param app context in which all commands have been created
 * @throws ExtensionError naming a class that nest-commander has ignored, because it has no decorator or is missing
 *   in the `subCommands` of a command
 */
export function refuseLeftOut(commands: readonly PlacedCommand[], app: INestApplicationContext): void {
  for (const { place, type } of commands) {
    const { command } = app.get<{ command?: unknown }>(type);
    if (command) continue;
    throw new ExtensionError(
      `EXTRA_COMMANDS in ${place}: ${type.name} is no command: it needs @Command(), or @SubCommand() and a ` +
        'command that names it among its subCommands.',
    );
  }
}

/**
 * The module of all commands. It starts quickly: a command opens the service through `ServiceContext` only when it
 * runs.
 */
@Module({})
export class CliModule {
  /**
   * @param root the service's root module, whose file imports become commands
   * @param extraCommands commands of extensions
   */
  static forRun(
    io: CliIo,
    service: ServiceContext,
    root: ModuleReference,
    extraCommands: readonly PlacedCommand[],
  ): DynamicModule {
    return {
      module: CliModule,
      providers: [
        { provide: CliIo, useValue: io },
        { provide: ServiceContext, useValue: service },
        { provide: ROOT_MODULE, useValue: root },
        CliProgram,
        StartCommand,
        ...FILE_COMMANDS,
        ...extraCommands.map(({ type }) => type),
        ...AiCommand.registerWithSubCommands(),
        ...UsersCommand.registerWithSubCommands(),
        ...ConfigCommand.registerWithSubCommands(),
        ...LIMITS_COMMANDS,
        DemoCommand,
        CommandSettings,
        ...DbCommand.registerWithSubCommands(),
      ],
    };
  }
}
