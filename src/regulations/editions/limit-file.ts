import { setImmediate } from 'node:timers/promises';
import { type RefusedRow, reasonOf } from '../../files/import-report';
import { isEnglish } from '../../platform/texts/languages';
import { LIMIT_COLUMNS, type LimitField, type LimitRow, maxLengthOf, tableOf } from './limit-columns';
import { type LimitDraft, type RawLimit, type Refusal, RefusedCell } from './limit-draft';
import { cosingTitle, readCosingRow } from './read-cosing';
import { readOwnRow } from './read-own';
import { readSampleRow } from './read-sample';
import type { RefusalCode } from './refusals.words';
import { resolveScopes } from './resolve-scopes';
import { resolveSums } from './resolve-sums';

/** The content of a file of limits. */
export interface LimitFile {
  readonly limits: readonly LimitDraft[];
  /** In the order of the file. */
  readonly refused: readonly Refusal[];
}

/** The part of `readImportFile`'s result that is used here. */
export interface LimitFileReading {
  readonly drafts: readonly { readonly line: number; readonly [field: string]: unknown }[];
  readonly refused: readonly RefusedRow[];
  /** Cells of the rows above the header. */
  readonly above: readonly (readonly string[])[];
}

type Cells = Partial<Record<LimitField, { readonly text: string; readonly column: string }>>;

const ROWS_AT_ONCE = 200;

/** Characters that PostgreSQL cannot store. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Describes files of limits for `readImportFile`. Rows are interpreted later, when all of them have been read. */
export const LIMIT_FILE = {
  columns: LIMIT_COLUMNS,
  readRow(
    line: number,
    cell: (field: string) => string | undefined,
    nameOf: (field: string) => string | undefined = () => undefined,
  ) {
    const cells: Cells = {};
    for (const { field } of LIMIT_COLUMNS) {
      const text = cell(field);
      if (text !== undefined) cells[field] = { text: text.trim(), column: nameOf(field) ?? field };
    }
    return { draft: { line, cells }, faults: [] };
  },
};

/** Interprets the limits of a file. Rows whose number, scope or basis is uncertain are refused with a reason. */
export async function limitsOf({ drafts, refused, above }: LimitFileReading): Promise<LimitFile> {
  const refusals: Refusal[] = refused.map((row) => ({
    row: row.line,
    column: null,
    value: reasonOf(row, isEnglish() ? 'en' : 'zh', 'field'),
    reason: 'unreadable-cell',
  }));
  const rows: RawLimit[] = [];
  const title = cosingTitle(above);
  for (const [index, draft] of drafts.entries()) {
    // Let other requests run.
    if (index % ROWS_AT_ONCE === 0) await setImmediate();
    const cells = draft.cells as Cells;
    try {
      rows.push(...readCells(draft.line, cells, title));
    } catch (error) {
      if (!(error instanceof RefusedCell)) throw error;
      refusals.push(refusalOf(draft.line, cells, error));
    }
  }
  refusals.sort((one, other) => one.row - other.row);
  return { limits: resolved(rows), refused: refusals };
}

function readCells(line: number, cells: Cells, title: ReturnType<typeof cosingTitle>): RawLimit[] {
  for (const [field, { text }] of Object.entries(cells)) {
    if (text.length > maxLengthOf(field)) throw new RefusedCell('too-long', field);
    if (UNSTORABLE.test(text)) throw new RefusedCell('unreadable-cell', field);
  }
  const row: LimitRow = { line, cell: (field) => cells[field]?.text ?? '' };
  const table = tableOf(new Set(Object.keys(cells)));
  switch (table) {
    case 'own':
      return [readOwnRow(row)];
    case 'sample':
      return [readSampleRow(row)];
    case 'cosing':
      if (!title) throw new RefusedCell('annex-unknown');
      return readCosingRow(row, title);
    case undefined:
      throw new RefusedCell('unknown-columns');
  }
}

/** Most characters of a refused cell in the result. */
const SHOWN = 200;

function refusalOf(row: number, cells: Cells, { reason, field, value }: RefusedCell): Refusal {
  const cell = field === undefined ? undefined : cells[field as LimitField];
  const shown = value ?? cell?.text ?? null;
  return {
    row,
    column: cell?.column ?? field ?? null,
    value: shown === null ? null : [...shown].slice(0, SHOWN).join(''),
    reason: reason satisfies RefusalCode,
  };
}

function resolved(rows: readonly RawLimit[]): LimitDraft[] {
  const [scopes, sums] = [resolveScopes(rows), resolveSums(rows)];
  return rows.map(({ sum: _sum, ...row }, index) => {
    const { types, isNarrower } = scopes[index]!;
    const { sumGroup, uncertain } = sums[index]!;
    const conditions = [isNarrower ? row.scope : null, row.conditions].filter(Boolean).join('; ') || null;
    return {
      ...row,
      productTypes: types,
      sumGroup,
      basis: [row.basis, uncertain].filter(Boolean).join(', ') || null,
      conditions,
    };
  });
}
