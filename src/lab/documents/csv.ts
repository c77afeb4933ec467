import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../imports/mapping/formula-escape';
import { type Cell, type LabDocument, withoutHeadings } from './document';
import { formatted } from './formatted';

/** Excel reads a file without it in the computer's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** The first table of a document. No text can become a formula in a spreadsheet program. */
export function csvOf({ tables: [table] }: LabDocument): string {
  if (!table) return BYTE_ORDER_MARK;
  const rows = withoutHeadings(table).map(({ cells }) => cells.map(textOf));
  return BYTE_ORDER_MARK + stringify([table.columns.map(({ title }) => textOf(title)), ...rows]);
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? escapeFormula(cell) : formatted(cell));
