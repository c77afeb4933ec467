import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Metadata key of routes that accept a file. */
export const ACCEPTS_FILE = 'http:accepts-file';

/** Marks the route's operation in the OpenAPI document. */
export const FILE_OPERATION = 'x-accepts-file';

/** Most bytes of a file in a request. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Media types of a request whose body is the file itself. */
export const FILE_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
] as const;

/** The form that browsers send. Its field `file` contains the file. */
export const FORM_TYPE = 'multipart/form-data';
export const FORM_FIELD = 'file';

/** A file from a request. It is removed when the request has been handled. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** The file's name in a form. */
  readonly name?: string;
  /** Charset of a `text/csv` body, if its content type names one. */
  readonly charset?: string;
}

export interface AcceptedFile {
  /** True: an `application/json` body is a file too. False, the default: it is the body of the handler. */
  readonly json?: boolean;
  /** A small CSV file, for the OpenAPI document. */
  readonly example?: string;
}

/**
 * Lets a route accept a CSV or XLSX file of up to 20 MB, as the request body or in the field `file` of a form. The
 * handler receives it with Nest's `@UploadedFile()` as a `ReceivedFile`, or undefined if the request has a JSON
 * body or none. A client sends one file at a time.
 */
export const AcceptsFile = (accepted: AcceptedFile = {}): MethodDecorator =>
  applyDecorators(SetMetadata(ACCEPTS_FILE, accepted), ApiExtension(FILE_OPERATION, accepted));
