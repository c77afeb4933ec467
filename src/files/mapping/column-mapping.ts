import { both, importText } from '../import.texts';
import { TableError } from '../reading/table';
import type { ImportColumn } from './file-column';
import { plainName } from './names';

/** The user's choice for one column: the field that it fills, or none. */
export interface ColumnChoice {
  column: string;
  /** Empty: the column is ignored. */
  field: string;
}

/** A mistake in the command line rather than in the file. */
export class ColumnChoiceError extends TableError {
  override readonly name = 'ColumnChoiceError';
}

interface Columns {
  /** Columns of the file that fill no field. */
  ignored: string[];
  /** The index of the column that fills each field. */
  index: ReadonlyMap<string, number>;
}

/**
 * Reads `column=field`, as `--map` takes it; `column=` ignores a column.
 * @throws ColumnChoiceError if there is no `=` or no column
 */
export function parseColumnChoice(text: string): ColumnChoice {
  const at = text.lastIndexOf('=');
  const column = text.slice(0, at).trim();
  if (at < 0 || column === '') throw new ColumnChoiceError(importText('import.no-choice', { text }));
  return { column, field: text.slice(at + 1).trim() };
}

/**
 * Assigns columns to fields: first by the user's choices, then by names that are those of a field or its aliases.
 * @throws ColumnChoiceError for a field that does not exist
 * @throws TableError if a chosen or required column is missing, or two columns mean the same field
 */
export function mapColumns(
  header: readonly string[],
  specs: readonly ImportColumn[],
  choices: readonly ColumnChoice[] = [],
): Columns {
  const index = new Map<string, number>();
  const taken = new Set<number>();
  for (const choice of choices) {
    const column = findColumn(header, choice.column);
    taken.add(column);
    if (choice.field === '') continue;
    const spec = specs.find(({ field }) => plainName(field) === plainName(choice.field));
    if (!spec) {
      const fields = specs.map(({ field }) => field);
      throw new ColumnChoiceError(importText('import.no-field', { field: choice.field, fields }));
    }
    if (index.has(spec.field)) {
      throw new ColumnChoiceError(importText('import.mapped-twice', { field: spec.field }));
    }
    requireNoVolume(spec, header[column]!);
    index.set(spec.field, column);
  }

  const chosen = new Set(index.keys());
  header.forEach((name, column) => {
    const spec = specOf(name, specs);
    if (!spec || taken.has(column) || chosen.has(spec.field)) return;
    const other = index.get(spec.field);
    if (other !== undefined && spec.isHint) return;
    if (other !== undefined) {
      throw new TableError(
        importText('import.two-columns', { other: header[other]!, name, field: spec.field }),
      );
    }
    index.set(spec.field, column);
    if (!spec.isHint) taken.add(column);
  });

  header.forEach((name, column) => {
    const spec = !taken.has(column) && specs.find(({ looksLike }) => looksLike?.test(plainName(name)));
    if (!spec) return;
    requireNoVolume(spec, name);
    throw new TableError(importText('import.doubtful-column', { name, field: spec.field }));
  });

  const amounts = specs.filter(({ isAmount }) => isAmount);
  const lacksAmount = amounts.every(({ field }) => !index.has(field));
  header.forEach(
    (name, column) => lacksAmount && !taken.has(column) && amounts[0] && requireNoVolume(amounts[0], name),
  );
  const namings = specs.filter(({ isName }) => isName);
  const lacksName = namings.every(({ field }) => !index.has(field));
  const missing = specs
    .filter(
      (spec) =>
        (spec.required && !index.has(spec.field)) ||
        (lacksAmount && spec === amounts[0]) ||
        (lacksName && spec === namings[0]),
    )
    .map(({ field }) => field);
  if (missing.length > 0) {
    throw new TableError(
      importText('import.missing-columns', {
        fields: both(missing),
        columns: quoted(header),
        field: missing[0]!,
      }),
    );
  }
  return { ignored: header.filter((name, column) => name !== '' && !taken.has(column)), index };
}

function requireNoVolume({ volumes }: ImportColumn, name: string): void {
  if (volumes?.test(plainName(name))) throw new TableError(importText('import.volumes', { name }));
}

/**
 * Returns the cells of a row that are names of columns, including chosen ones. Returns none if a required column is
 * missing, because the row is then not the header.
 */
export function knownNames(
  cells: readonly string[],
  specs: readonly ImportColumn[],
  choices: readonly ColumnChoice[] = [],
): string[] {
  const fields = new Set<string>();
  const known = cells.filter((cell) => {
    const choice = choices.find(({ column }) => plainName(column) === plainName(cell));
    const field = choice ? choice.field : specOf(cell, specs)?.field;
    if (field) fields.add(plainName(field));
    return field !== undefined && cell.trim() !== '';
  });
  const isTitle = specs.every(({ field, isTitle: can }) => can || !fields.has(plainName(field)));
  const hasRequired = specs.every(({ field, required }) => !required || fields.has(plainName(field)));
  return hasRequired && !(isTitle && specs.some((spec) => spec.isTitle)) ? known : [];
}

/** Cached, because they are compared with every cell of many rows. */
const PLAIN_NAMES = new WeakMap<ImportColumn, ReadonlySet<string>>();

function plainNamesOf(spec: ImportColumn): ReadonlySet<string> {
  const names = PLAIN_NAMES.get(spec) ?? new Set([spec.field, ...spec.aliases].map(plainName));
  PLAIN_NAMES.set(spec, names);
  return names;
}

function specOf(name: string, specs: readonly ImportColumn[]): ImportColumn | undefined {
  const plain = plainName(name);
  if (plain === '') return undefined;
  return (
    specs.find((spec) => plainNamesOf(spec).has(plain)) ?? specs.find(({ pattern }) => pattern?.test(plain))
  );
}

const NUMBER = /^[\d.,\s]+[%％]?$/;

/** Chooses a column with a doubtful name whose cells tell its field, if it is the only one. */
export function choicesByCells(
  header: readonly string[],
  specs: readonly ImportColumn[],
  rows: readonly { cells: readonly string[] }[],
): ColumnChoice[] {
  const known = header.map((name) => specOf(name, specs));
  return specs.flatMap(({ field, looksLike, cells }) => {
    if (!cells || known.some((spec) => spec?.field === field)) return [];
    const found = header.flatMap((name, at) => {
      if (known[at] || !looksLike?.test(plainName(name))) return [];
      const numbers = rows.map((row) => row.cells[at]?.trim() ?? '').filter((cell) => NUMBER.test(cell));
      return numbers.length > 0 && numbers.every((cell) => cells.test(cell)) ? [name] : [];
    });
    return found.length === 1 ? [{ column: found[0]!, field }] : [];
  });
}

function findColumn(header: readonly string[], name: string): number {
  for (const same of [(a: string) => a === name, (a: string) => plainName(a) === plainName(name)]) {
    const found = header.flatMap((column, at) => (same(column) ? [at] : []));
    if (found.length > 1)
      throw new TableError(importText('import.same-columns', { count: found.length, name }));
    if (found[0] !== undefined) return found[0];
  }
  throw new TableError(importText('import.no-column', { name, columns: quoted(header) }));
}

const quoted = (header: readonly string[]) => header.map((name) => `"${name}"`);
