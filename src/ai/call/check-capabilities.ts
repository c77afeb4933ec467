import { z } from 'zod';
import { ExtensionError } from '../../common/extension-tokens';
import type { Capability } from './capability';

/**
 * Token under which any module provides a `CapabilityExample`, or a list of them: the start fails if the
 * preset breaks the capability's schema.
 */
export const AI_CAPABILITY = Symbol('AI_CAPABILITY');

/** A capability of an extension, with an input that its preset is tried with. */
export interface CapabilityExample<Input = unknown> {
  readonly capability: Capability<Input, unknown>;
  readonly input: Input;
}

/** @throws ExtensionError that names the module and the capability */
export function checkCapabilities(placed: readonly { place: string; value: unknown }[]): void {
  for (const { place, value } of placed) {
    for (const { capability, input } of [value].flat() as CapabilityExample[]) {
      const { success, error } = capability.schema.safeParse(capability.preset(input));
      if (success) continue;
      throw new ExtensionError(
        `AI_CAPABILITY in ${place}: the preset of ${capability.name} breaks its schema: ${z.prettifyError(error)}`,
      );
    }
  }
}
