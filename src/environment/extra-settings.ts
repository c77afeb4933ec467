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
