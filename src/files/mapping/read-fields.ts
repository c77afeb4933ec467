import type { Type } from '@nestjs/common';
import { importText } from '../import.texts';
import type { RowFault } from '../import-report';
import { readDecimal } from '../../platform/validation/decimal';
import { type FieldKind, type FieldMetadata, fieldsOf } from '../../platform/validation/field-metadata';
import { isVisible } from '../../platform/validation/fields';
import { type CellReading, fileColumns } from './file-column';

/** Returns a row's text for a field; undefined if the file has no such column. */
export type CellReader = (field: string) => string | undefined;

export interface FieldsReading {
  /** Values by field; undefined leaves the field unchanged, as an empty cell does. */
  values: Record<string, unknown>;
  /** Empty for a valid row. */
  faults: RowFault[];
}

/**
 * Reads a row by the resource's class of fields.
 * @param key the fields that identify the record of a row. The first must not be empty. The others are null if
 *   their cell is empty, and absent if the file has no such column.
 */
export function readFields(fields: Type<object>, key: readonly string[], cell: CellReader): FieldsReading {
  const values: Record<string, unknown> = {};
  const faults: RowFault[] = [];
  const described = new Map(fieldsOf(fields).map((field) => [field.name, field]));
  for (const { field, trim = true, read } of fileColumns(fields)) {
    const raw = cell(field);
    const reading = readCell(raw, trim, read ?? reader(described.get(field)));
    const isKey = key.includes(field);
    if ('fault' in reading) faults.push({ field, reason: reading.fault });
    else if (field === key[0] && reading.value === undefined) {
      faults.push({ field, reason: importText('import.empty') });
    } else if (!isKey || field === key[0]) values[field] = reading.value;
    else if (raw !== undefined) values[field] = reading.value ?? null;
  }
  return { values, faults };
}

type Read = (text: string) => CellReading;

/** A cell without visible characters is empty: it must not replace a stored name. */
function readCell(raw: string | undefined, trim: boolean, read: Read): CellReading {
  return raw === undefined || !isVisible(raw) ? { value: undefined } : read(trim ? raw.trim() : raw);
}

function reader(field: FieldMetadata | undefined): Read {
  const { kind, name, shown } = field ?? {};
  switch (kind?.type) {
    case 'text':
      return (text) => readText(text, kind.max);
    case 'number':
    case 'integer':
      return (text) => readNumber(text, kind, shown?.example);
    case 'enum':
      return (text) =>
        kind.values.includes(text)
          ? { value: text }
          : { fault: importText('import.none-of', { value: text, values: kind.values }) };
    case undefined:
      throw new Error(`The column ${name} needs to say how its cells are read`);
  }
}

function readText(text: string, max: number): CellReading {
  if (text.includes('\u0000')) return { fault: importText('import.nul-character') };
  // Counts code points, as a reader does, not UTF-16 units.
  if (text.length > max && Array.from(text).length > max)
    return { fault: importText('import.too-long', { max }) };
  return { value: text };
}

type NumberKind = Extract<FieldKind, { type: 'number' | 'integer' }>;

/** @param example a number for the message */
function readNumber(text: string, { type, min, moreThan, max }: NumberKind, example: unknown): CellReading {
  const number = readDecimal(text);
  if (number === undefined || !Number.isFinite(number)) {
    return {
      fault:
        typeof example === 'number'
          ? importText('import.no-number-like', { value: text, example })
          : importText('import.no-number', { value: text }),
    };
  }
  if (type === 'integer' && !Number.isInteger(number)) {
    return { fault: importText('import.not-whole', { value: text }) };
  }
  if (min !== undefined && number < min) {
    return {
      fault:
        min === 0
          ? importText('import.negative', { value: text })
          : importText('import.below', { min, value: text }),
    };
  }
  if (moreThan !== undefined && number <= moreThan) {
    return { fault: importText('import.not-above', { min: moreThan, value: text }) };
  }
  if (max !== undefined && number > max) return { fault: importText('import.above', { max, value: text }) };
  return { value: number };
}
