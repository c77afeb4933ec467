import { ExtensionError } from '../common/extension-tokens';
import { type ModuleReference, placedValuesOf } from '../common/module-providers';

/**
 * Token under which any module provides, as a value, a `SettingsSchema` or a list of them: settings of an
 * extension. Their faults are reported together with those of the service before anything starts.
 */
export const EXTRA_SETTINGS = Symbol('EXTRA_SETTINGS');

/** The part of a zod object, of any version, that is used. Variables are strings; empty ones are absent. */
export interface SettingsSchema<T = unknown> {
  safeParse(variables: Readonly<Record<string, string>>): {
    success: boolean;
    data?: T;
    /** The last part of a path is the variable's name. A message must not contain a value. */
    error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
  };
}

/**
 * Returns the schemas that modules provide under `EXTRA_SETTINGS`.
 * @throws ExtensionError naming the module if one is not a schema
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
 * Returns the schemas of a module before any provider is instantiated.
 * @throws ExtensionError as `schemasOf`, or if one is not provided as a value
 */
export const settingsSchemasOf = async (root: ModuleReference): Promise<SettingsSchema[]> =>
  schemasOf(await placedValuesOf(root, EXTRA_SETTINGS));
