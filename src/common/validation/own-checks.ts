import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { FieldCheck } from './field';

const known = new WeakMap<Type<object>, boolean>();

/**
 * Whether all checks of a request class, and of the classes in it, are those of our own decorators. They say
 * at once what is wrong; class-validator's `validateSync` leaves out what answers with a promise.
 */
export function hasOwnChecksOnly(type: Type<object>): boolean {
  const before = known.get(type);
  if (before !== undefined) return before;
  // A class may have fields of its own kind.
  known.set(type, true);
  const isOwn = isMadeOfOwnChecks(type);
  known.set(type, isOwn);
  return isOwn;
}

function isMadeOfOwnChecks(type: Type<object>): boolean {
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
    return nested ? hasOwnChecksOnly(nested()) : false;
  });
}

/** Others' decorators have other constraints, or none. */
function ownCheck(constraints: unknown[] | undefined): FieldCheck | undefined {
  const [check] = constraints ?? [];
  return check instanceof FieldCheck ? check : undefined;
}
