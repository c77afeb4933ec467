import { isUUID } from 'class-validator';
import { contentFault } from '../../platform/http/request-content';
import { readDecimal } from '../../platform/validation/decimal';
import { isVisible } from '../../platform/validation/fields';
import { FREE_JSON_LIMIT, freeJsonFault } from '../../platform/validation/free-json';
import type { Message } from '../../platform/texts/define-texts';
import type { ImportDraft, RowReading } from '../../files/file-import';
import type { RowFault } from '../../files/import-report';
import { importText } from '../../files/import.texts';
import { plainName } from '../../files/mapping/names';
import type { CellReader } from '../../files/mapping/read-fields';
import { CIELAB_LIMITS, COLOR_NAME_LENGTH } from '../color.fields';
import { type CieLab } from '../difference';
import { colorImportText } from './color-import.texts';
import {
  COLORANT_NAME,
  type CompositionReading,
  hasKeyTwice,
  NOT_UNDERSTOOD,
  readColorants,
} from './colorant-list';
import { kindOf, type Measurement, readLight } from './measurement';

type StoredField =
  | ('id' | 'name' | 'L' | 'a' | 'b' | 'measuredL' | 'measuredA' | 'measuredB' | 'deltaE' | 'composition')
  | 'formulaId';
type ColorField = StoredField | 'illuminant' | 'observer' | 'mode' | 'kind';

/** A valid row. An absent value does not change the field of an existing colour. An empty cell is an absent value. */
export interface ColorDraft extends ImportDraft {
  /** Id of a stored colour, possibly of another database. */
  id?: string;
  name: string;
  targetLab: CieLab;
  actualLab?: CieLab;
  /** 0 or more, as measured by the laboratory. */
  deltaE?: number;
  /** Any JSON value except null. */
  colorantComposition?: unknown;
  /** Id of a formula, possibly of another database. */
  formulaId?: string;
  /** How the colour was measured, where the file says it. */
  measurement?: Measurement;
}

/**
 * Checks one row.
 * @param cell returns the row's text for a field, or undefined if the file has no such column
 */
export function readColorRow(line: number, cell: CellReader, nameOf?: CellReader): RowReading<ColorDraft> {
  const faults: RowFault[] = [];
  const refuse = (field: ColorField, reason: Message) => {
    faults.push({ field, reason });
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
      return refuse(field, importText('import.no-number-like', { value, example: 42.5 }));
    }
    if (found < min) return refuse(field, importText('import.below', { min, value }));
    if (max !== undefined && found > max) return refuse(field, importText('import.above', { max, value }));
    return found;
  };

  /** Requires all three coordinates or none; with `required`, none is an error as well. */
  const lab = (
    fields: readonly [ColorField, ColorField, ColorField],
    required: boolean,
  ): CieLab | undefined => {
    const before = faults.length;
    const L = number(fields[0], CIELAB_LIMITS.L);
    const a = number(fields[1], CIELAB_LIMITS.a);
    const b = number(fields[2], CIELAB_LIMITS.b);
    if (faults.length > before) return undefined;
    if (L !== undefined && a !== undefined && b !== undefined) return { L, a, b };
    const empty = fields.filter((field) => text(field) === undefined);
    if (required || empty.length < 3) refuse(empty[0]!, importText('import.empty'));
    return undefined;
  };

  const id = text('id')?.toLowerCase();
  const isOwnNumber = id !== undefined && !isUUID(id);
  const formulaId = text('formulaId')?.toLowerCase();
  if (formulaId !== undefined && !isUUID(formulaId)) {
    refuse('formulaId', importText('import.no-id', { value: formulaId }));
  }
  const name = text('name');
  if (name === undefined) refuse('name', importText('import.empty'));
  else if (Array.from(name).length > COLOR_NAME_LENGTH) {
    refuse('name', importText('import.too-long', { max: COLOR_NAME_LENGTH }));
  } else {
    const fault = contentFault(name);
    if (fault) refuse('name', colorImportText('color-import.characters'));
  }
  const targetLab = lab(['L', 'a', 'b'], true);
  const actualLab = lab(['measuredL', 'measuredA', 'measuredB'], false);
  const deltaE = number('deltaE', { min: 0 });
  const composition = readComposition(text('composition'));
  if (composition.fault) refuse('composition', composition.fault);
  // The name of the column would be lost.
  const isOneColorant = COLORANT_NAME.test(plainName(nameOf?.('composition') ?? ''));
  if (isOneColorant && typeof composition.value === 'number') refuse('composition', NOT_UNDERSTOOD);

  const lightText = text('illuminant');
  const light = lightText && readLight(lightText);
  if (lightText !== undefined && light === undefined) {
    refuse('illuminant', colorImportText('color-import.unknown-light', { value: lightText }));
  }
  const under = [light, text('observer'), text('mode')].filter(Boolean).join(', ');
  const kind = kindOf(text('kind'));
  const measurement = under || kind ? { measurement: { light, under, kind } } : {};

  if (name === undefined || targetLab === undefined || faults.length > 0) return { faults };
  const values = { name, targetLab, actualLab, deltaE, colorantComposition: composition.value, formulaId };
  return {
    draft: { line, ...(!isOwnNumber && { id }), ...values, ...measurement },
    faults,
    remarks: isOwnNumber ? [colorImportText('color-import.own-numbers')] : [],
  };
}

/** Longest text of a composition, in characters: JSON may have white space, and each letter may be escaped. */
const MAX_COMPOSITION = 2 * FREE_JSON_LIMIT;

/** Returns JSON unchanged, and a list of colorants as an object with their parts. */
function readComposition(text: string | undefined): { value?: unknown; fault?: Message } {
  if (text === undefined) return {};
  if (text.length > MAX_COMPOSITION) return { fault: tooManyBytes() };
  const reading = readJson(text) ?? readColorants(text);
  if ('fault' in reading) return reading;
  const { value } = reading;
  if (value === null) return {};
  if (contentFault(value)) {
    return { fault: colorImportText('color-import.content') };
  }
  if (freeJsonFault(value)) {
    return { fault: tooManyBytes() };
  }
  return { value };
}

const tooManyBytes = () => colorImportText('color-import.too-many-bytes', { max: FREE_JSON_LIMIT });

/** Returns undefined for text that is not intended as JSON. */
function readJson(text: string): CompositionReading | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return contentFault(value) || !hasKeyTwice(text, value)
      ? { value }
      : { fault: colorImportText('color-import.key-twice') };
  } catch {
    // Text that begins like JSON is intended as JSON, even if it could be read as a list.
    return /^[{["]/.test(text) ? { fault: NOT_UNDERSTOOD } : undefined;
  }
}

/** Converts a stored colour to a row that `readColorRow` accepts. */
export function colorCells(record: Record<string, unknown>): Record<StoredField, unknown> {
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
