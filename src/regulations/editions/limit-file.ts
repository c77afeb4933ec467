import { reasonOf } from '../../files/import-report';
import type { ImportFileReading } from '../../files/read-import-file';
import { isEnglish } from '../../platform/texts/languages';
import { inTurns } from '../../platform/common/in-turns';
import {
  casNumbersIn,
  LIMIT_COLUMNS,
  type LimitDraft,
  type LimitField,
  type LimitRow,
  oneLine,
  type RawLimit,
  RefusedCell,
} from './limit-cells';
import type { Refusal } from './limit.entity';
import { cosingTitle, readCosingRow } from './read-cosing';
import { readOwnRow, readSampleRow } from './read-own';
import { resolveScopes, resolveSums } from './resolve-rows';

/** Most characters of a cell. */
const MAX_CELL = 10_000;
const LENGTHS = new Map<string, number>(
  LIMIT_COLUMNS.map((column) => [column.field, 'max' in column ? column.max : MAX_CELL]),
);

/** A table that can be read, by the columns that only it has. */
type LimitTable = 'own' | 'sample' | 'cosing';

/** Undefined for a table that is none of them. */
function tableOf(fields: ReadonlySet<string>): LimitTable | undefined {
  if (fields.has('unit') && fields.has('limitPercent') && fields.has('annex')) return 'sample';
  if (fields.has('kind') && fields.has('annex')) return 'own';
  if (fields.has('entry') && fields.has('substance') && fields.has('regulation')) return 'cosing';
  return undefined;
}

/** The content of a file of limits. */
export interface LimitFile {
  readonly limits: readonly LimitDraft[];
  /** In the order of the file. */
  readonly refused: readonly Refusal[];
}

type LimitCells = Partial<Record<LimitField, { readonly text: string; readonly column: string }>>;

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
    const cells: LimitCells = {};
    for (const { field } of LIMIT_COLUMNS) {
      const text = cell(field);
      if (text !== undefined) cells[field] = { text: text.trim(), column: nameOf(field) ?? field };
    }
    return { draft: { line, cells }, faults: [] };
  },
};

/** Interprets the limits of a file. Rows whose number, scope or basis is uncertain are refused with a reason. */
export async function limitsOf({
  drafts,
  refused,
  above,
}: Pick<
  ImportFileReading<{ line: number; cells: LimitCells }>,
  'drafts' | 'refused' | 'above'
>): Promise<LimitFile> {
  const refusals: Refusal[] = refused.map((row) => ({
    row: row.line,
    column: null,
    value: storable(reasonOf(row, isEnglish() ? 'en' : 'zh', 'field')),
    reason: 'unreadable-cell',
    region: '',
    name: null,
    casNumbers: [],
  }));
  const rows: RawLimit[] = [];
  const title = cosingTitle(above);
  await inTurns(drafts, ({ line, cells }) => {
    try {
      rows.push(...readCells(line, cells, title));
    } catch (error) {
      if (!(error instanceof RefusedCell)) throw error;
      refusals.push(refusalOf(line, cells, error));
    }
  });
  refusals.sort((one, other) => one.row - other.row);
  return { limits: resolved(rows), refused: refusals };
}

function readCells(line: number, cells: LimitCells, title: ReturnType<typeof cosingTitle>): RawLimit[] {
  for (const [field, { text }] of Object.entries(cells)) {
    if (text.length > LENGTHS.get(field)!) throw new RefusedCell('too-long', field);
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

/** Most characters of a refused row's name: screenings look for substances in it. */
const NAME_LENGTH = 5_000;

function refusalOf(row: number, cells: LimitCells, { reason, field, value }: RefusedCell): Refusal {
  const cell = field === undefined ? undefined : cells[field as LimitField];
  const [substance, inciNames] = [oneLine(cells.substance?.text ?? ''), oneLine(cells.inciNames?.text ?? '')];
  return {
    row,
    column: cell?.column ?? field ?? null,
    value: storable(value ?? cell?.text ?? null),
    reason,
    region: storable(cells.region?.text ?? '').toLowerCase(),
    name: storable([...new Set([substance, inciNames])].filter(Boolean).join('; '), NAME_LENGTH) || null,
    casNumbers: casNumbersIn(`${cells.casNumbers?.text ?? ''} ${cells.ecNumber?.text ?? ''}`).slice(0, 50),
  };
}

/** The beginning of a text, without characters that PostgreSQL cannot store. */
const storable = <Text extends string | null>(text: Text, most = SHOWN) =>
  (text && [...text.replaceAll(new RegExp(UNSTORABLE, 'gu'), '')].slice(0, most).join('')) as Text;

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
