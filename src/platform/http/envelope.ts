import { hash } from 'node:crypto';
import { Header } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidInputError, PreconditionFailedError } from '../common/errors/service-error';
import { type JsonPage, jsonTextOf } from '../common/json-text';
import { type Text, text } from '../texts/text';

/** `{ data }`: the answer for a single record. */
export interface RecordEnvelope<T> {
  data: T;
}

export interface Pagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

/** `{ data, pagination }`: the answer for a list. */
export interface PageEnvelope<T> {
  data: T[];
  pagination: Pagination;
}

/** Some rows of a list, and the total number of rows. */
export interface Slice<T> {
  rows: T[];
  total: number;
}

export const record = <T>(data: T): RecordEnvelope<T> => ({ data });

const paginationOf = (total: number, { page, limit }: { page: number; limit: number }): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export const page = <T>(slice: Slice<T>, query: { page: number; limit: number }): PageEnvelope<T> => ({
  data: slice.rows,
  pagination: paginationOf(slice.total, query),
});

/** Returns the JSON text of `record(…)`. For a handler with `@AnswersJsonText()`. */
export const recordText = (record: object): string => `{"data":${jsonTextOf(record)}}`;

/**
 * Returns the JSON text of `page(…)`. For a handler with `@AnswersJsonText()`.
 * @param more what the answer says about the complete list
 */
export const pageText = (
  { rows, total }: JsonPage,
  query: { page: number; limit: number },
  more: object = {},
): string =>
  `{"data":${rows.text},${JSON.stringify({ pagination: paginationOf(total, query), ...more }).slice(1)}`;

/** For handlers that return JSON as text. Nest sends it unchanged; an interceptor would cost time on every request. */
export const AnswersJsonText = () => Header('Content-Type', 'application/json; charset=utf-8');

/**
 * Returns the strong entity tag of a record: a hash of the JSON that this user gets, of which 132 bits are sent. It is
 * the same on every instance.
 */
export const entityTag = (record: object): string =>
  `"${hash('sha256', jsonTextOf(record), 'base64url').slice(0, 22)}"`;

/** Returns the text of `{ data }` and sets the record's `ETag`. For a handler with `@AnswersJsonText()`. */
export function taggedRecordText({ res: response }: Request, record: object): string {
  response!.setHeader('ETag', entityTag(record));
  return recordText(record);
}

/** Matches one entity tag of a list, or an empty element between two commas; sticky. */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;

/** The ending that a compressing proxy adds to a tag: `-gzip` of Apache, `--gzip` of Jetty, `;br` and their like. */
const ENCODING = /^(?:[-;:+.]{1,2}[a-z]+)?$/i;

/**
 * Returns true if an `If-Match` header contains the tag, also as a compressing proxy changes it (`W/"…"`, `"…-gzip"`):
 * the tag is a hash of the record, so such a tag names the same record.
 * @throws InvalidInputError if the header is no list of entity tags in quotes
 */
export function isMatched(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  const hashed = tag.slice(1, -1);
  let isFound: boolean | undefined;
  for (ELEMENT.lastIndex = 0; ELEMENT.lastIndex < ifMatch.length;) {
    const element = ELEMENT.exec(ifMatch);
    if (!element) throw malformed();
    const [, opaque] = element;
    if (opaque === undefined) continue;
    isFound ||= opaque.startsWith(hashed) && ENCODING.test(opaque.slice(hashed.length));
  }
  if (isFound === undefined) throw malformed();
  return isFound;
}

const malformed = () => InvalidInputError.of([{ field: 'If-Match', message: text('request.if-match') }]);

/**
 * Refuses a write if the client has read another state of the record.
 * @param current the record as this client would get it
 * @throws PreconditionFailedError, InvalidInputError if the header is malformed
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
