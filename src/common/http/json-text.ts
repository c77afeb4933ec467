import { Header } from '@nestjs/common';
import { type JsonPage, jsonTextOf } from '../json-text';
import { paginationOf } from './envelope';

/** The text of `{ data }`, as `record` makes it of objects. For a handler with `@AnswersJsonText()`. */
export const recordText = (record: object): string => `{"data":${jsonTextOf(record)}}`;

/**
 * The text of `{ data, pagination }`, as `page` makes it of objects. For a handler with `@AnswersJsonText()`.
 */
export const pageText = ({ rows, total }: JsonPage, query: { page: number; limit: number }): string =>
  `{"data":${rows.text},"pagination":${JSON.stringify(paginationOf(total, query))}}`;

/** The handler returns JSON as text. (Nest sends it as it is; an interceptor would cost every request.) */
export const AnswersJsonText = () => Header('Content-Type', 'application/json; charset=utf-8');
