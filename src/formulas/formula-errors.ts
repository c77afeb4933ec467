import { NotFoundError } from '../platform/common/errors/service-error';
import type { JsonText } from '../platform/common/json-text';
import { text } from '../platform/texts/text';
import type { FormulaDto } from './formula.dto';

export const FORMULA_NOT_FOUND = text('formula.not-found');

/** Messages of a 404 response about a version. */
export const VERSION_NOT_FOUND = [FORMULA_NOT_FOUND, text('formula.version-not-found')];

/** Returns the message of a 412 response, with the current version of the formula. */
export const changedText = (current: JsonText<FormulaDto>) =>
  text('formula.changed', { version: current.parse().currentVersion });

export function notFound(): never {
  throw new NotFoundError(FORMULA_NOT_FOUND);
}

export function versionNotFound(): never {
  throw new NotFoundError(text('formula.version-not-found'));
}
