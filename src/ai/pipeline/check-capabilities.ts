import { z } from 'zod';
import { ExtensionError, requireMethods } from '../../platform/common/extension-tokens';
import type { Capability } from './capability';

/** A capability of an extension, with an example input for its preset. */
export interface CapabilityExample<Input = unknown> {
  readonly capability: Capability<Input, unknown>;
  readonly input: Input;
}

/** @throws ExtensionError that names the module and the capability */
export function checkCapabilities(placed: readonly { place: string; value: unknown }[]): void {
  for (const { place, value } of placed) {
    for (const example of [value].flat() as (CapabilityExample | null | undefined)[]) {
      requireMethods(`The capability under AI_CAPABILITY in ${place}`, example?.capability, [
        'prompt',
        'preset',
      ]);
      const { capability, input } = example!;
      const fault = presetFault(capability, input);
      if (fault)
        throw new ExtensionError(`AI_CAPABILITY in ${place}: the preset of ${capability.name} ${fault}`);
    }
  }
}

function presetFault(
  { schema, preset }: CapabilityExample['capability'],
  input: unknown,
): string | undefined {
  if (typeof (schema as Partial<z.ZodType> | undefined)?.safeParse !== 'function') return 'has no zod schema';
  try {
    const { success, error } = schema.safeParse(preset(input));
    return success ? undefined : `breaks its schema: ${z.prettifyError(error)}`;
  } catch (error) {
    return `throws: ${error instanceof Error ? error.message : 'a value that is no Error'}`;
  }
}
