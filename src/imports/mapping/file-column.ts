import type { Type } from '@nestjs/common';
import { fieldsOf } from '../../common/validation/field-metadata';

/** How columns of a file are told and read, beside their names. */
interface ColumnReading {
  /** Further names of the column, as a pattern of what `plainName` makes of a name. */
  pattern?: RegExp;
  /**
   * Names that a column of this field could have, as such a pattern. One that is not understood is an error,
   * so that what it holds is not lost.
   */
  looksLike?: RegExp;
  /**
   * What the cells hold. A date is refused as a `name`, which it became by mistake. Whether a comma in a
   * `number` is a decimal comma, the whole column decides; a `price` may have a sign of its currency, and a
   * `percent` its sign; `json` is a text of JSON.
   */
  holds?: 'name' | 'number' | 'price' | 'percent' | 'json';
  /** A row with nothing but such a text in a cell is a heading: what this field is for the rows below it. */
  heading?: RegExp;
}

/** A column that a file may have. */
export interface ImportColumn extends ColumnReading {
  field: string;
  /** Other names a column of this field goes by; case, spaces and punctuation do not matter. */
  aliases: readonly string[];
  required?: boolean;
  /** It only helps to read the others: of several such columns the first counts, and reports call it ignored. */
  isHint?: boolean;
}

/** What a cell says, or what is wrong with it. */
export type CellReading = { value: unknown } | { fault: string };

interface FileColumnOptions extends ColumnReading {
  /** Names of the column beside the field's own. */
  aliases?: readonly string[];
  /** False: white space around the cell's text belongs to it. */
  trim?: boolean;
  /** Reads a cell that is not blank, where the kind of the field does not say how. */
  read?: (text: string) => CellReading;
}

export interface FileColumnMetadata extends FileColumnOptions {
  readonly field: string;
}

const COLUMNS = Symbol('file columns');

/** The field is a column of the resource's files: it can be imported and exported. */
export function FileColumn(options: FileColumnOptions = {}): PropertyDecorator {
  return ({ constructor }, key) => {
    const columns = [...fileColumns(constructor as Type<object>), { ...options, field: String(key) }];
    Reflect.defineMetadata(COLUMNS, columns, constructor);
  };
}

/** Columns of a resource's files in the order of its fields. */
export const fileColumns = (fields: Type<object>): readonly FileColumnMetadata[] =>
  (Reflect.getMetadata(COLUMNS, fields) as readonly FileColumnMetadata[] | undefined) ?? [];

/** @param required the fields without which a file is of no use */
export const importColumns = (fields: Type<object>, required: readonly string[]): ImportColumn[] =>
  fileColumns(fields).map(({ field, aliases = [], pattern, looksLike, holds, read }) => ({
    field,
    aliases,
    required: required.includes(field),
    ...(pattern && { pattern }),
    ...(looksLike && { looksLike }),
    ...(holds ? { holds } : !read && isNumber(fields, field) && { holds: 'number' as const }),
  }));

function isNumber(fields: Type<object>, field: string): boolean {
  const kind = fieldsOf(fields).find(({ name }) => name === field)?.kind?.type;
  return kind === 'number' || kind === 'integer';
}
