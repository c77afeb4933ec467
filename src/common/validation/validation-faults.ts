import type { ValidationError } from 'class-validator';
import type { FieldFault } from '../errors/service-error';

/**
 * class-validator's own complaint about a nested value that is no object; our field's check says it in our
 * words.
 */
const NESTED = 'nestedValidation';

/** class-validator's tree of errors as a flat list, in reading order, one message per field. */
export function fieldFaults(errors: readonly ValidationError[], parent = ''): FieldFault[] {
  return errors.flatMap((error) => {
    const path = parent ? `${parent}.${error.property}` : error.property;
    const messages = Object.entries(error.constraints ?? {}).filter(([name]) => name !== NESTED);
    if (messages.length > 0) return [{ field: path, message: messages[0]![1] }];
    return fieldFaults(error.children ?? [], path);
  });
}
