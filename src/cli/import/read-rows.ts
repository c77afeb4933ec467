import type { ImportColumn } from '../../common/import/import-column';
import type { RefusedRow } from '../../common/import/import-report';
import { CliError, UsageError } from '../cli-error';
import { type CliIo, number, Progress } from '../cli-io';
import { type ColumnChoice, ColumnChoiceError, mapColumns, parseColumnChoice } from '../table/column-mapping';
import { unescapeFormula } from '../table/formula-escape';
import { openTable } from '../table/open-table';
import { TableError } from '../table/table';

export interface ReadRequest<Field extends string> {
  io: CliIo;
  path: string;
  columns: readonly ImportColumn<Field>[];
  choices?: readonly ColumnChoice[];
}

/**
 * Reads the rows of a CSV or XLSX file one by one.
 * @param take gets the row's line and its cells by field (undefined: the file has no such column); answers
 *   with the reasons for which the row is refused, none when it is taken
 * @returns the refused rows
 * @throws CliError that names the file when it cannot be read, UsageError for a wrong `--map`
 */
export async function readRows<Field extends string>(
  { io, path, columns, choices = [] }: ReadRequest<Field>,
  take: (line: number, cell: (field: Field) => string | undefined) => readonly string[],
): Promise<RefusedRow[]> {
  const progress = new Progress(io);
  const refused: RefusedRow[] = [];
  let rows = 0;
  try {
    const table = await openTable(path);
    const mapped = mapColumns(table.header, columns, choices);
    if (mapped.ignored.length > 0) {
      io.tell(`Columns without a field, ignored: ${mapped.ignored.join(', ')}`);
    }
    for await (const { line, cells, fault } of table.rows) {
      const reasons = fault ? [fault] : take(line, (field) => text(mapped.cell(cells, field)));
      if (reasons.length > 0) refused.push({ line, reason: reasons.join('; ') });
      progress.update('Reading rows', ++rows);
    }
    progress.done();
    io.tell(`${number(rows)} rows read`);
    return refused;
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
