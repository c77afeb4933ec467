import { ExtensionError } from '../common/extension-tokens';
import { type ModuleReference, placedValuesOf } from '../common/module-providers';

/**
 * Token under which any module provides, as a value, a `SettingsSchema` or a list of them: settings of an
 * extension, whose faults are told together with ours before anything starts.
 */
export const EXTRA_SETTINGS = Symbol('EXTRA_SETTINGS');

/** What a zod object is, of any version. Variables are texts; those set to an empty text are absent. */
export interface SettingsSchema<T = unknown> {
  safeParse(variables: Readonly<Record<string, string>>): {
    success: boolean;
    data?: T;
    /** The last part of a path is the variable's name. A message names no value. */
    error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
  };
}

/**
 * The schemas among what modules provide under `EXTRA_SETTINGS`.
 * @throws ExtensionError that names the module where one is no schema
 */
export function schemasOf(placed: readonly { place: string; value: unknown }[]): SettingsSchema[] {
  return placed.flatMap(({ place, value }) => {
    const schemas = [value as Partial<SettingsSchema> | null | undefined].flat();
    if (schemas.every((schema) => typeof schema?.safeParse === 'function'))
      return schemas as SettingsSchema[];
    throw new ExtensionError(
      `EXTRA_SETTINGS in ${place} must be a zod object, or what else has safeParse(), or a list of them.`,
    );
  });
}

/**
 * The same before anything is made.
 * @throws ExtensionError likewise, or where one is not provided as a value
 */
export const settingsSchemasOf = async (root: ModuleReference): Promise<SettingsSchema[]> =>
  schemasOf(await placedValuesOf(root, EXTRA_SETTINGS));
