import type { DynamicModule, Type } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { ModuleReference } from '../platform/common/module-providers';
import { UsageError } from './cli-error';

const OPTION = '--app';

/** The option in `--help`. */
export const APP_OPTION = {
  flags: `${OPTION} <file>`,
  description: 'the built file with the module of your application, for example ./dist/app.module.js',
};

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
