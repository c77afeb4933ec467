import type { ImportColumn } from '../../common/import/import-column';
import { TableError } from './table';

/** The user's word for one column: which field it fills, or that it is to be left out. */
export interface ColumnChoice {
  column: string;
  /** Empty: the column is ignored. */
  field: string;
}

/** A mistake in the command line rather than in the file. */
export class ColumnChoiceError extends Error {
  override readonly name = 'ColumnChoiceError';
}

export interface Columns<Field extends string> {
  /** Columns of the file that fill no field. */
  ignored: string[];
  /** A row's cell for a field, as it is in the file; undefined when the file has no such column. */
  cell(cells: readonly string[], field: Field): string | undefined;
}

/**
 * Reads `column=field`, as `--map` takes it; `column=` leaves a column out.
 * @throws ColumnChoiceError when there is no `=` or no column
 */
export function parseColumnChoice(text: string): ColumnChoice {
  const at = text.lastIndexOf('=');
  const column = text.slice(0, at).trim();
  if (at < 0 || column === '') throw new ColumnChoiceError(`"${text}" is not of the form column=field`);
  return { column, field: text.slice(at + 1).trim() };
}

/**
 * Which column fills which field: the user's choices first, then columns named like a field or one of its
 * aliases.
 * @throws ColumnChoiceError for a field that does not exist
 * @throws TableError when a chosen or required column is missing, or two columns mean the same field
 */
export function mapColumns<Field extends string>(
  header: readonly string[],
  specs: readonly ImportColumn<Field>[],
  choices: readonly ColumnChoice[] = [],
): Columns<Field> {
  const index = new Map<Field, number>();
  const taken = new Set<number>();
  for (const choice of choices) {
    const column = findColumn(header, choice.column);
    taken.add(column);
    if (choice.field === '') continue;
    const spec = specs.find(({ field }) => plain(field) === plain(choice.field));
    if (!spec) {
      const fields = specs.map(({ field }) => field).join(', ');
      throw new ColumnChoiceError(`there is no field "${choice.field}"; the fields are ${fields}`);
    }
    if (index.has(spec.field)) throw new ColumnChoiceError(`two columns are mapped to ${spec.field}`);
    index.set(spec.field, column);
  }

  const chosen = new Set(index.keys());
  header.forEach((name, column) => {
    const spec = specs.find(({ field, aliases }) =>
      [field, ...aliases].some((alias) => plain(alias) === plain(name)),
    );
    if (!spec || taken.has(column) || chosen.has(spec.field)) return;
    const other = index.get(spec.field);
    if (other !== undefined) {
      throw new TableError(
        `The columns "${header[other]}" and "${name}" both mean ${spec.field}: ` +
          `leave one out with --map "${name}=" or name the right one with --map "${name}=${spec.field}".`,
      );
    }
    index.set(spec.field, column);
    taken.add(column);
  });

  const missing = specs
    .filter(({ field, required }) => required && !index.has(field))
    .map(({ field }) => field);
  if (missing.length > 0) {
    throw new TableError(
      `The file has no column for ${missing.join(' and ')}. Its columns are ${quoted(header)}. ` +
        `Name the right one with --map "column=${missing[0]}".`,
    );
  }
  return {
    ignored: header.filter((name, column) => name !== '' && !taken.has(column)),
    cell: (cells, field) => {
      const column = index.get(field);
      return column === undefined ? undefined : (cells[column] ?? '');
    },
  };
}

function findColumn(header: readonly string[], name: string): number {
  for (const same of [(a: string) => a === name, (a: string) => plain(a) === plain(name)]) {
    const found = header.flatMap((column, at) => (same(column) ? [at] : []));
    if (found.length > 1) throw new TableError(`The file has ${found.length} columns named "${name}".`);
    if (found[0] !== undefined) return found[0];
  }
  throw new TableError(`The file has no column "${name}". Its columns are ${quoted(header)}.`);
}

const quoted = (header: readonly string[]) => header.map((name) => `"${name}"`).join(', ');

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_\-./()\uff08\uff09]/g, '');
}
