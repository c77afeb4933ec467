import { Header } from '@nestjs/common';
import { type JsonPage, jsonTextOf } from '../common/json-text';

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

/** Returns the JSON text of `page(…)`. For a handler with `@AnswersJsonText()`. */
export const pageText = ({ rows, total }: JsonPage, query: { page: number; limit: number }): string =>
  `{"data":${rows.text},"pagination":${JSON.stringify(paginationOf(total, query))}}`;

/** For handlers that return JSON as text. Nest sends it unchanged; an interceptor would cost time on every request. */
export const AnswersJsonText = () => Header('Content-Type', 'application/json; charset=utf-8');
