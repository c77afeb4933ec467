import type { DynamicModule, Type } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { ModuleReference } from '../common/module-providers';
import { UsageError } from './cli-error';

const OPTION = '--app';

/** As `--help` shows it. */
export const APP_OPTION = {
  flags: `${OPTION} <file>`,
  description: 'the built file with the module of your application, for example ./dist/app.module.js',
};

/**
 * Takes the option out of a command line, wherever it stands before a `--`.
 * @throws UsageError where its file is missing, or where it is given twice
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
 * The module that a file exports as `default` or as `AppModule`: a class, a dynamic one or a promise of it.
 * The file is CommonJS, or an ES module without `await` at its top.
 * @throws UsageError where there is none; what the file itself throws
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

/** `@Module({})` leaves no mark on a class: any may be a module. A function's prototype can be replaced. */
const isClass = (given: unknown): boolean =>
  typeof given === 'function' && Object.getOwnPropertyDescriptor(given, 'prototype')?.writable === false;

interface Exports {
  readonly default?: unknown;
  readonly AppModule?: unknown;
}
