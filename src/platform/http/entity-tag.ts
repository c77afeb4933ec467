import { hash } from 'node:crypto';
import type { Request } from 'express';
import { PreconditionFailedError } from '../common/errors/service-error';
import { jsonTextOf } from '../common/json-text';
import type { Text } from '../texts/text';
import { recordText } from './envelope';

/** Characters of the hash in a tag: 132 bits. */
const LENGTH = 22;

/**
 * Returns the strong entity tag of a record: a hash of the JSON that this user gets. It is the same on every
 * instance.
 */
export const entityTag = (record: object): string =>
  `"${hash('sha256', jsonTextOf(record), 'base64url').slice(0, LENGTH)}"`;

/** Returns the text of `{ data }` and sets the record's `ETag`. For a handler with `@AnswersJsonText()`. */
export function taggedRecordText({ res: response }: Request, record: object): string {
  response!.setHeader('ETag', entityTag(record));
  return recordText(record);
}

/** Matches one entity tag of a list, or an empty element between two commas; sticky. */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(?:,|$)/y;

/**
 * Returns true if an `If-Match` header contains the tag. Tags are compared strongly: weak ones never match (RFC
 * 9110, 8.8.3.2 and 13.1.1). A malformed header matches nothing.
 */
export function isMatched(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  let isFound = false;
  for (ELEMENT.lastIndex = 0; ELEMENT.lastIndex < ifMatch.length;) {
    const element = ELEMENT.exec(ifMatch);
    if (!element) return false;
    const [, weak, opaque] = element;
    isFound ||= weak === undefined && opaque === tag;
  }
  return isFound;
}

/**
 * Refuses a write if the client has read another state of the record.
 * @param current the record as this client would get it
 * @throws PreconditionFailedError
 */
export function requireMatch<T extends object>(
  ifMatch: string,
  current: T,
  changed: (current: T) => Text,
): void {
  const tag = entityTag(current);
  if (!isMatched(ifMatch, tag)) throw new PreconditionFailedError(changed(current), { ETag: tag });
}

/** Runs work in a transaction: `TransactionManager`. */
interface Transactions {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Writes a record only if its current state matches `If-Match`; without the header it writes at once.
 * @param record.current reads the record, and locks it from the check to the end of the write
 * @throws PreconditionFailedError
 */
export async function writeIfMatched<T, Current extends object>(
  transactions: Transactions,
  ifMatch: string | undefined,
  record: { current: () => Promise<Current>; changed: (current: Current) => Text },
  write: () => Promise<T>,
): Promise<T> {
  if (ifMatch === undefined) return write();
  return transactions.run(async () => {
    requireMatch(ifMatch, await record.current(), record.changed);
    return write();
  });
}
