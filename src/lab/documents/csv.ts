import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../imports/mapping/formula-escape';
import { type Cell, type LabDocument, inFiles } from './document';
import { formatted } from './formatted';

/** Excel reads a file without it in the computer's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** The first table of a document. No text can become a formula in a spreadsheet program. */
export function csvOf({ tables: [first] }: LabDocument): string {
  if (!first) return BYTE_ORDER_MARK;
  const { columns, rows } = inFiles(first);
  const header = columns.map(({ title }) => title);
  return (
    BYTE_ORDER_MARK + stringify([header, ...rows.map(({ cells }) => cells)].map((row) => row.map(textOf)))
  );
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? escapeFormula(cell) : formatted(cell));
