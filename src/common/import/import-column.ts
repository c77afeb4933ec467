import type { Type } from '@nestjs/common';

/** A column that a file may have. */
export interface ImportColumn<Field extends string = string> {
  field: Field;
  /** Other names a column of this field goes by; case, spaces, underscores and hyphens do not matter. */
  aliases: readonly string[];
  required?: boolean;
}

/** What a cell says, or what is wrong with it. */
export type CellReading = { value: unknown } | { fault: string };

interface FileColumnOptions {
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
  fileColumns(fields).map(({ field, aliases = [] }) => ({
    field,
    aliases,
    required: required.includes(field),
  }));
