import type { RefusedRow } from '../../common/import/import-report';
import { CliError, UsageError } from '../cli-error';
import { type CliIo, number, Progress } from '../cli-io';
import {
  type ColumnChoice,
  ColumnChoiceError,
  type Columns,
  type FieldSpec,
  mapColumns,
  parseColumnChoice,
} from '../table/column-mapping';
import { unescapeFormula } from '../table/formula-escape';
import { openTable } from '../table/open-table';
import { TableError } from '../table/table';

export interface ReadRequest<Field extends string> {
  io: CliIo;
  path: string;
  specs: readonly FieldSpec<Field>[];
  choices?: readonly ColumnChoice[];
}

export interface ReadResult<Field extends string> {
  /** Rows below the header, refused ones included. */
  rows: number;
  refused: RefusedRow[];
  columns: Columns<Field>;
}

/**
 * Reads the rows of a CSV or XLSX file one by one.
 * @param take given the row's line and its cells by field (undefined: the file has no such column); answers with
 *   the reasons for which the row is refused, none when it is taken
 * @throws CliError that names the file when it cannot be read, UsageError for a wrong `--map`
 */
export async function readRows<Field extends string>(
  { io, path, specs, choices = [] }: ReadRequest<Field>,
  take: (line: number, cell: (field: Field) => string | undefined) => readonly string[],
): Promise<ReadResult<Field>> {
  const progress = new Progress(io);
  const refused: RefusedRow[] = [];
  let rows = 0;
  try {
    const table = await openTable(path);
    const columns = mapColumns(table.header, specs, choices);
    if (columns.ignored.length > 0) {
      io.tell(`Columns without a field, ignored: ${columns.ignored.join(', ')}`);
    }
    for await (const { line, cells, fault } of table.rows) {
      const reasons = fault ? [fault] : take(line, (field) => text(columns.cell(cells, field)));
      if (reasons.length > 0) refused.push({ line, reason: reasons.join('; ') });
      progress.update('Reading rows', ++rows);
    }
    progress.done();
    io.tell(`${number(rows)} rows read`);
    return { rows, refused, columns };
  } catch (error) {
    progress.done();
    if (error instanceof TableError) throw new CliError(`${path}: ${error.message}`);
    if (error instanceof ColumnChoiceError) throw new UsageError(`--map: ${error.message}`);
    throw error;
  }
}

const text = (cell: string | undefined) => (cell === undefined ? undefined : unescapeFormula(cell));

/** One `--map` option after another, as commander hands them in. */
export function addColumnChoice(text: string, earlier: readonly ColumnChoice[] = []): ColumnChoice[] {
  try {
    return [...earlier, parseColumnChoice(text)];
  } catch (error) {
    throw error instanceof ColumnChoiceError ? new UsageError(`--map: ${error.message}`) : error;
  }
}
