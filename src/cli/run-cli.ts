import { CommandFactory, CommandRunnerService } from 'nest-commander';
import { AppModule } from '../app.module';
import { type Role, ROLES } from '../platform/common/current-user';
import { ServiceError } from '../platform/common/errors/service-error';
import { listedValuesOf, type ModuleReference } from '../platform/common/module-providers';
import { EXTRA_ROLES } from '../platform/common/registered-roles';
import { EmbeddedDatabaseInUseError } from '../platform/database/embedded/errors';
import { explainStartError } from '../platform/server/start-errors';
import { moduleOf, withoutAppOption } from './application-file';
import { CliError, EXIT, SilentFailure, UsageError } from './cli-error';
import { type CliIo, ProcessIo } from './cli-io';
import { CliProgram } from './cli-program';
import { CliModule } from './cli.module';
import { extraCommandsOf, refuseLeftOut } from './extra-commands';
import { AppServiceContext, type ServiceContext } from './service-context';

export interface CliOptions {
  /** Arguments after the program's name; by default those of this process. */
  readonly args?: readonly string[];
  readonly io?: CliIo;
  /** Opens the service for commands; by default the module is opened with the settings. */
  readonly service?: ServiceContext;
}

/**
 * Runs one command to its end; `start` returns when the service listens.
 * @param module the service, or `AppModule.register(...)` with extensions, which may provide commands; `--app` in
 *   the arguments names the file of another module
 * @returns the exit code: 0 if the command succeeded, 1 if it failed, 2 for a wrong command line, 3 if another
 *   process uses the data directory
 */
export async function runCli(
  module: ModuleReference = AppModule,
  { args = process.argv.slice(2), io = new ProcessIo(), service }: CliOptions = {},
): Promise<number> {
  try {
    const { file, args: command } = withoutAppOption(args);
    const root = await (file === undefined ? module : moduleOf(file));
    return await runCommand(root, command, io, service);
  } catch (error) {
    return explain(error, io);
  }
}

async function runCommand(
  root: ModuleReference,
  args: readonly string[],
  io: CliIo,
  service?: ServiceContext,
): Promise<number> {
  const roles = [...ROLES, ...(await listedValuesOf<Role>(root, EXTRA_ROLES))];
  const context = service ?? new AppServiceContext(io, root, roles);
  let failure: { readonly error: unknown } | undefined;
  const extraCommands = await extraCommandsOf(root);
  const commands = await CliModule.forRun(io, context, root, extraCommands);
  const app = await CommandFactory.createWithoutRunning(commands, {
    logger: ['fatal', 'error'],
    abortOnError: false,
    serviceErrorHandler: (error) => {
      failure = { error };
    },
  });
  try {
    refuseLeftOut(extraCommands, app);
    app.get(CliProgram).prepare();
    await app.get(CommandRunnerService).run(['node', 'cli', ...args]);
  } finally {
    await app.close();
  }
  return failure === undefined ? EXIT.ok : explain(failure.error, io);
}

/** Prints the error for the user and returns the exit code. */
function explain(error: unknown, io: CliIo): number {
  const { code, exitCode } = (error ?? {}) as { code?: unknown; exitCode?: unknown };
  if (typeof code === 'string' && code.startsWith('commander.')) {
    // commander has printed its message, or the requested help.
    return exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof SilentFailure) return EXIT.failure;
  if (error instanceof UsageError) {
    io.tell(`Error: ${error.message}`);
    io.tell('--help shows how to use the command.');
    return EXIT.usage;
  }
  if (error instanceof EmbeddedDatabaseInUseError) {
    io.tell(`Error: ${error.message}`);
    return EXIT.inUse;
  }
  const isKnown = [CliError, ServiceError].some((kind) => error instanceof kind);
  io.tell(`Error: ${isKnown ? (error as Error).message : explainStartError(error)}`);
  return EXIT.failure;
}
