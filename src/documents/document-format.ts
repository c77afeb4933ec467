import type { Request } from 'express';
import { QueryEnumField } from '../platform/validation/query-fields';
import type { DocumentLanguage } from './document';
import { LanguageField, requestLanguage } from './language-field';

/** Formats with their media types; the first is the one of a client that does not care. */
export const MEDIA_TYPES = {
  json: 'application/json',
  html: 'text/html',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type DocumentFormat = keyof typeof MEDIA_TYPES;

/** As they are offered: with a charset, they are also what `Accept: text/csv; charset=utf-8` asks for. */
const OFFERED = Object.values(MEDIA_TYPES).map((type) => `${type}; charset=utf-8`);

const FORMATS = Object.keys(MEDIA_TYPES) as DocumentFormat[];

/** The query of a route that answers with JSON, a printable page or a file. */
export class DocumentQuery {
  @QueryEnumField({
    values: FORMATS,
    description: 'Default: what the header Accept prefers of the four, else json',
    example: 'json',
  })
  format?: DocumentFormat;

  @LanguageField('Language of the page or file, and of notes and messages in the answer')
  lang: DocumentLanguage = requestLanguage();
}

/** The format that a request asks for, by `?format=` or by its header `Accept`. */
export function formatOf(request: Request): DocumentFormat {
  const named = FORMATS.find((format) => format === request.query.format);
  if (named) return named;
  const preferred = request.accepts(OFFERED);
  return (preferred && FORMATS[OFFERED.indexOf(preferred)]) || 'json';
}
