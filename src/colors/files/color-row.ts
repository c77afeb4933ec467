import { isUUID } from 'class-validator';
import { contentFault } from '../../platform/http/request-content';
import { readDecimal } from '../../platform/validation/decimal';
import { isVisible } from '../../platform/validation/fields';
import { FREE_JSON_LIMIT, freeJsonFault } from '../../platform/validation/free-json';
import type { ImportDraft, RowReading } from '../../files/file-import';
import type { Cell } from '../../files/mapping/read-fields';
import { CIELAB_LIMITS, COLOR_NAME_LENGTH } from '../color.fields';
import { type CieLab } from '../difference';
import { type CompositionReading, hasKeyTwice, readColorants } from './colorant-list';

/** Fields that a colour file can contain. */
type ColorField =
  | ('id' | 'name' | 'L' | 'a' | 'b' | 'measuredL' | 'measuredA' | 'measuredB' | 'deltaE' | 'composition')
  | 'formulaId';

/** A valid row. An absent value does not change the field of an existing colour. An empty cell is an absent value. */
export interface ColorDraft extends ImportDraft {
  /** Id of a stored colour, possibly of another database. */
  id?: string;
  name: string;
  /** CIELAB. */
  targetLab: CieLab;
  actualLab?: CieLab;
  /** 0 or more, as measured by the laboratory. */
  deltaE?: number;
  /** Any JSON value except null. */
  colorantComposition?: unknown;
  /** Id of a formula, possibly of another database. */
  formulaId?: string;
}

/**
 * Checks one row.
 * @param cell returns the row's text for a field, or undefined if the file has no such column
 */
export function readColorRow(line: number, cell: Cell): RowReading<ColorDraft> {
  const reasons: string[] = [];
  const refuse = (field: ColorField, reason: string) => {
    reasons.push(`${field}: ${reason}`);
    return undefined;
  };
  /** Invisible characters count as no text. */
  const text = (field: ColorField) => {
    const found = cell(field)?.trim();
    return found !== undefined && isVisible(found) ? found : undefined;
  };

  const number = (field: ColorField, { min, max }: { min: number; max?: number }) => {
    const value = text(field);
    if (value === undefined) return undefined;
    const found = readDecimal(value);
    if (found === undefined || !Number.isFinite(found)) {
      return refuse(field, `"${value}" is not a number (digits and a decimal point, like 42.5)`);
    }
    if (found < min) return refuse(field, `must not be below ${min}, is ${value}`);
    if (max !== undefined && found > max) return refuse(field, `must not be above ${max}, is ${value}`);
    return found;
  };

  /** Requires all three coordinates or none; with `required`, none is an error as well. */
  const lab = (
    fields: readonly [ColorField, ColorField, ColorField],
    required: boolean,
  ): CieLab | undefined => {
    const before = reasons.length;
    const L = number(fields[0], CIELAB_LIMITS.L);
    const a = number(fields[1], CIELAB_LIMITS.a);
    const b = number(fields[2], CIELAB_LIMITS.b);
    if (reasons.length > before) return undefined;
    if (L !== undefined && a !== undefined && b !== undefined) return { L, a, b };
    const empty = fields.filter((field) => text(field) === undefined);
    if (required || empty.length < 3) refuse(empty[0]!, 'is empty');
    return undefined;
  };

  const id = text('id')?.toLowerCase();
  const isOwnNumber = id !== undefined && !isUUID(id);
  const formulaId = text('formulaId')?.toLowerCase();
  if (formulaId !== undefined && !isUUID(formulaId)) refuse('formulaId', `"${formulaId}" is no id`);
  const name = text('name');
  if (name === undefined) refuse('name', 'is empty');
  else if (Array.from(name).length > COLOR_NAME_LENGTH) {
    refuse('name', `is longer than ${COLOR_NAME_LENGTH} characters`);
  } else {
    const fault = contentFault(name);
    if (fault) refuse('name', 'contains characters that cannot be stored');
  }
  const targetLab = lab(['L', 'a', 'b'], true);
  const actualLab = lab(['measuredL', 'measuredA', 'measuredB'], false);
  const deltaE = number('deltaE', { min: 0 });
  const composition = readComposition(text('composition'));
  if (composition.fault) refuse('composition', composition.fault);

  if (name === undefined || targetLab === undefined || reasons.length > 0) return { reasons };
  const values = { name, targetLab, actualLab, deltaE, colorantComposition: composition.value, formulaId };
  return {
    draft: { line, ...(!isOwnNumber && { id }), ...values },
    reasons,
    remarks: isOwnNumber ? ['The column "id" has numbers of your own: rows find their colours by name'] : [],
  };
}

/** Returns JSON unchanged, and a list of colorants as an object with their parts. */
function readComposition(text: string | undefined): { value?: unknown; fault?: string } {
  if (text === undefined) return {};
  const reading = readJson(text) ?? readColorants(text);
  if ('fault' in reading) return reading;
  const { value } = reading;
  if (value === null) return {};
  if (contentFault(value)) {
    return { fault: 'contains characters or numbers that cannot be stored, or is nested too deeply' };
  }
  if (freeJsonFault(value)) return { fault: `is longer than ${FREE_JSON_LIMIT} bytes as JSON text` };
  return { value };
}

/** Returns undefined for text that is not intended as JSON. */
function readJson(text: string): CompositionReading | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return contentFault(value) || !hasKeyTwice(text, value) ? { value } : { fault: 'has a key twice' };
  } catch {
    // Text that begins like JSON is intended as JSON, even if it could be read as a list.
    return /^[{["]/.test(text)
      ? { fault: 'is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"' }
      : undefined;
  }
}

/** Converts a stored colour to a row that `readColorRow` accepts. */
export function colorCells(record: Record<string, unknown>): Record<ColorField, unknown> {
  const { id, name, targetLab, actualLab, deltaE, colorantComposition, formulaId } =
    record as unknown as ColorDraft;
  const isAbsent = colorantComposition === null || colorantComposition === undefined;
  return {
    ...{ id, name, L: targetLab.L, a: targetLab.a, b: targetLab.b },
    ...{ measuredL: actualLab?.L ?? null, measuredA: actualLab?.a ?? null, measuredB: actualLab?.b ?? null },
    deltaE: deltaE ?? null,
    composition: isAbsent ? null : JSON.stringify(colorantComposition),
    formulaId: formulaId ?? null,
  };
}
