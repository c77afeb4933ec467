import type { ValidationError } from 'class-validator';
import type { FaultText, FieldFault } from '../texts/text';
import { TOLD } from './field';

/**
 * class-validator's own complaint about a nested value that is no object; our field's check says it in our
 * words.
 */
const NESTED = 'nestedValidation';

/** class-validator's tree of errors as a flat list, in reading order, one message per field. */
export function fieldFaults(errors: readonly ValidationError[], parent = ''): FieldFault[] {
  return errors.flatMap((error) => {
    const path = parent ? `${parent}.${error.property}` : error.property;
    const [first] = Object.entries(error.constraints ?? {}).filter(([name]) => name !== NESTED);
    if (first) return [{ field: path, message: toldBy(error, first[0]) ?? first[1] }];
    return fieldFaults(error.children ?? [], path);
  });
}

/** What a check of ours told; other decorators have their own message only. */
const toldBy = ({ contexts }: ValidationError, check: string): FaultText | undefined =>
  (contexts?.[check] as { [TOLD]?: FaultText } | undefined)?.[TOLD];
