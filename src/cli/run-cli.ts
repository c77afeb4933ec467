import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { DynamicModule, Type } from '@nestjs/common';
import { CommandFactory, CommandRunnerService } from 'nest-commander';
import { AppModule } from '../app.module';
import { type Role, ROLES } from '../platform/common/current-user';
import { ServiceError } from '../platform/common/errors/service-error';
import { listedValuesOf, type ModuleReference } from '../platform/common/module-providers';
import { EXTRA_ROLES } from '../platform/common/registered-roles';
import { EmbeddedDatabaseInUseError } from '../platform/database/embedded/errors';
import { explainStartError } from '../platform/server/start-errors';
import { CliError, type CliIo, ProcessIo, SilentFailure, UsageError } from './cli-io';
import { CliModule, CliProgram, extraCommandsOf, refuseLeftOut } from './cli.module';
import { AppServiceContext, type ServiceContext } from './service-context';

const EXIT = { ok: 0, failure: 1, usage: 2, inUse: 3 } as const;

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
  const commands = CliModule.forRun(io, context, root, extraCommands);
  const app = await CommandFactory.createWithoutRunning(commands, {
    logger: ['fatal', 'error'],
    outputConfiguration: {
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    },
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

const OPTION = '--app';

/**
 * Removes the option from a command line, wherever it occurs before `--`.
 * @throws UsageError if its file is missing, or it is given twice
 */
export function withoutAppOption(args: readonly string[]): { file?: string; args: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.findIndex((arg, index) => index < end && (arg === OPTION || arg.startsWith(`${OPTION}=`)));
  if (at < 0) return { args: [...args] };
  const joined = args[at] !== OPTION;
  const file = joined ? args[at]!.slice(OPTION.length + 1) : at + 1 < end ? args[at + 1] : undefined;
  if (!file) throw new UsageError(`${OPTION} needs a file`);
  const rest = [...args.slice(0, at), ...args.slice(joined ? at + 1 : at + 2)];
  if (withoutAppOption(rest).file !== undefined) throw new UsageError(`${OPTION} is given twice`);
  return { file, args: rest };
}

/**
 * Returns the module that a file exports as `default` or `AppModule`: a class, a dynamic module, or a promise of
 * one. The file must be CommonJS, or an ES module without top-level `await`.
 * @throws UsageError if there is none; errors of the file itself
 */
export async function moduleOf(file: string): Promise<ModuleReference> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${OPTION}: there is no file ${path}`);
  const exported = createRequire(path)(path) as Exports | null | undefined;
  const module = await (exported?.default ?? exported?.AppModule);
  if (!isClass(module) && !isClass((module as Partial<DynamicModule> | null | undefined)?.module)) {
    throw new UsageError(`${OPTION}: ${path} must export a Nest module, as default or as AppModule`);
  }
  return module as Type | DynamicModule;
}

/** `@Module({})` sets no metadata, so any class may be a module. The prototype of a plain function is writable. */
const isClass = (given: unknown): boolean =>
  typeof given === 'function' && Object.getOwnPropertyDescriptor(given, 'prototype')?.writable === false;

interface Exports {
  readonly default?: unknown;
  readonly AppModule?: unknown;
}
