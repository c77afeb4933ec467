import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { FieldCheck } from './field';

const known = new WeakMap<Type<object>, boolean>();

/**
 * Whether all checks of a request class, and of the classes in it, are those of our own decorators: they say
 * at once what is wrong. class-validator's `validateSync` does not wait for others that may take their time.
 */
export function hasOwnChecksOnly(type: Type<object>): boolean {
  let isOwn = known.get(type);
  if (isOwn === undefined) known.set(type, (isOwn = areAllOwn(type, new Set())));
  return isOwn;
}

/** @param seen classes that are being looked at: a class may hold itself, and two each other */
function areAllOwn(type: Type<object>, seen: Set<Type<object>>): boolean {
  if (seen.has(type)) return true;
  seen.add(type);
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const own = new Map<string, FieldCheck>();
  for (const { propertyName, constraints } of checks) {
    const check = ownCheck(constraints);
    if (check) own.set(propertyName, check);
  }
  return checks.every(({ type: kind, propertyName, constraints }) => {
    if (kind === ValidationTypes.CONDITIONAL_VALIDATION) return true;
    if (kind === ValidationTypes.CUSTOM_VALIDATION) return ownCheck(constraints) !== undefined;
    const nested = kind === ValidationTypes.NESTED_VALIDATION && own.get(propertyName)?.nested;
    return nested ? areAllOwn(nested(), seen) : false;
  });
}

/** Others' decorators have other constraints, or none. */
function ownCheck(constraints: unknown[] | undefined): FieldCheck | undefined {
  const [check] = constraints ?? [];
  return check instanceof FieldCheck ? check : undefined;
}
