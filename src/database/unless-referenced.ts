import { ConflictError } from '../common/errors/service-error';
import { text } from '../common/texts/text';
import { ConstraintViolation } from './pg-errors';

/**
 * A deletion. A row of an extension keeps the record where its foreign key does not say what shall become of
 * it.
 * @param own a foreign key whose violation the caller answers itself
 * @throws ConflictError where a row refers to the record
 */
export async function unlessReferenced<T>(deletion: () => Promise<T>, own?: string): Promise<T> {
  try {
    return await deletion();
  } catch (error) {
    const isReferenced = error instanceof ConstraintViolation && error.kind === 'foreign-key';
    throw isReferenced && error.constraint !== own ? new ConflictError(text('record.in-use')) : error;
  }
}
