import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../imports/mapping/formula-escape';
import { type Cell, type LabDocument, inFiles } from './document';
import { mapping, type Steps } from '../steps';
import { formatted } from './formatted';

/** Excel reads a file without it in the computer's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** The first table of a document. No text can become a formula in a spreadsheet program. */
export function* csvOf({ tables: [first] }: LabDocument): Steps<string> {
  if (!first) return BYTE_ORDER_MARK;
  const { columns, rows } = inFiles(first);
  const header = columns.map(({ title }) => title);
  const lines = yield* mapping([header, ...rows.map(({ cells }) => cells)], (row) =>
    stringify([row.map(textOf)]),
  );
  return BYTE_ORDER_MARK + lines.join('');
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? escapeFormula(cell) : formatted(cell));
