import { ConflictError } from '../common/errors/service-error';
import { text } from '../texts/text';
import { ConstraintViolation } from './pg-errors';

/**
 * Answers 409 if a row of an extension refers to the deleted record and its foreign key defines no action for that
 * case.
 * @param own a foreign key whose violation the caller handles itself
 * @throws ConflictError
 */
export async function rejectIfReferenced<T>(deletion: Promise<T>, own?: string): Promise<T> {
  try {
    return await deletion;
  } catch (error) {
    const isReferenced = error instanceof ConstraintViolation && error.kind === 'foreign-key';
    throw isReferenced && error.constraint !== own ? new ConflictError(text('record.in-use')) : error;
  }
}
