import type { Message } from '../../platform/texts/define-texts';
import { importText, listed } from '../import.texts';
import { columnLetters, TableError, type TableLimits } from './table';
import { columnNumber, textBetween, xmlTags } from './xlsx-tags';

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  /** Its position among all sheets, from 1. */
  position: number;
  isHidden: boolean;
  /** The part of the archive that contains its cells. */
  path: string;
}

/** Values by row (from 1), then column (from 0). */
export type ByCell<Value> = ReadonlyMap<number, ReadonlyMap<number, Value>>;

/** The first cell of merged cells; row and column as above. */
export interface MergedInto {
  row: number;
  column: number;
}

/** Facts about a sheet's cells that `read-excel-file` does not return. */
export interface SheetFacts {
  /** Faults of unreadable cells: an error, or a formula without its result. */
  faults: ByCell<Message>;
  /** Cells that are covered by another one. */
  covered: ByCell<MergedInto>;
  /** Signs that are shown with numbers: `%` if 0.05 is 5%, or the sign of a currency. */
  signs: ByCell<string>;
  /** Rows that a filter or a user hides, from 1. */
  hiddenRows: readonly number[];
  hiddenColumns: readonly number[];
}

/** Returns the sheets with cells; charts are not among them. */
export function sheetsOf(parts: ReadonlyMap<string, Buffer>): Sheet[] {
  const part = (name: string) => parts.get(name)?.toString('utf8') ?? '';
  const targets = new Map<string, string>();
  for (const { attributes } of xmlTags(part('xl/_rels/workbook.xml.rels'), ['Relationship'])) {
    const [id, type, target] = ['Id', 'Type', 'Target'].map((name) => attributes.get(name) ?? '');
    if (type!.endsWith('/worksheet')) {
      targets.set(id!, target!.startsWith('/') ? target!.slice(1) : `xl/${target}`);
    }
  }
  let position = 0;
  return [...xmlTags(part('xl/workbook.xml'), ['sheet'])].flatMap(({ opens, attributes }) => {
    const name = attributes.get('name');
    if (!opens || !name) return [];
    position++;
    const path = targets.get(attributes.get('id') ?? '');
    const isHidden = /hidden/i.test(attributes.get('state') ?? '');
    return path === undefined ? [] : [{ name, position, isHidden, path }];
  });
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** Returns the sign that each style shows with a number: a percent sign, or that of a currency. */
export function signsOfStyles(styles: Buffer | undefined): ReadonlyMap<number, string> {
  // 9 and 10 are Excel's own formats `0%` and `0.00%`.
  const formats = new Map([
    ['9', '%'],
    ['10', '%'],
  ]);
  const found = new Map<number, string>();
  let style = -1;
  const tags = xmlTags(styles?.toString('utf8') ?? '', ['numFmt', 'cellXfs', 'xf']);
  for (const { name, opens, attributes } of tags) {
    const format = attributes.get('numFmtId') ?? '';
    if (name === 'cellXfs') style = opens ? 0 : -1;
    else if (name === 'numFmt') {
      const sign = signIn(attributes.get('formatCode') ?? '');
      if (sign) formats.set(format, sign);
    } else if (name === 'xf' && opens && style >= 0) {
      if (formats.has(format)) found.set(style, formats.get(format)!);
      style++;
    }
  }
  return found;
}

/** Finds the sign in `#,##0.00 [$€-407]`, `"US$" 0.00` or `0.0%`. A quoted percent sign does not change the number. */
function signIn(code: string): string | undefined {
  const [first = ''] = code.split(';');
  if (first.replace(/"[^"]*"|\\./g, '').includes('%')) return '%';
  return (
    /\[\$([^\]-]+)/.exec(first)?.[1] ??
    /(?:US|HK|NT)?\$(?!-)|[€£¥￥₩]|(?:RMB|CNY|EUR|USD|GBP|CHF)/.exec(first)?.[0]
  );
}

/**
 * @param signs signs that styles show with a number
 * @throws TableError if merged cells span more than the limits allow
 */
export function sheetFacts(
  sheet: Buffer,
  limits: TableLimits,
  signs: ReadonlyMap<number, string>,
): SheetFacts {
  const xml = sheet.toString('utf8');
  const faults = new Map<number, Map<number, Message>>();
  const covered = new Map<number, Map<number, MergedInto>>();
  const shown = new Map<number, Map<number, string>>();
  const add = <Value>(to: Map<number, Map<number, Value>>, at: number, index: number, value: Value) =>
    to.set(at, (to.get(at) ?? new Map<number, Value>()).set(index, value));
  const hiddenRows: number[] = [];
  const hiddenColumns: number[] = [];
  let [row, column, merged] = [0, 0, 0];
  let cell: { type?: string; formula: boolean; value?: string } | undefined;
  const endCell = () => {
    const address = `${columnLetters(column - 1)}${row}`;
    if (cell?.type === 'e') {
      add(
        faults,
        row,
        column - 1,
        importText('import.cell-error', { cell: address, error: cell.value ?? '' }),
      );
    } else if (
      cell?.formula &&
      (cell.value ?? '') === '' &&
      (cell.value === undefined || cell.type !== 'str')
    ) {
      add(faults, row, column - 1, importText('import.cell-without-result', { cell: address }));
    }
    cell = undefined;
  };

  for (const { name, opens, isEmpty, attributes, end } of xmlTags(xml, TAGS)) {
    const [, letters, digits] = /^([A-Z]{0,3})(\d{0,7})$/.exec(attributes.get('r') ?? '') ?? [];
    if (name === 'row' && opens) {
      row = digits ? Number(digits) : row + 1;
      column = 0;
      if (isTrue(attributes.get('hidden'))) hiddenRows.push(row);
    } else if (name === 'c') {
      endCell();
      if (!opens) continue;
      row = digits ? Number(digits) : row;
      column = letters ? columnNumber(letters) : column + 1;
      const sign = signs.get(Number(attributes.get('s') ?? 0));
      if (sign !== undefined) add(shown, row, column - 1, sign);
      if (!isEmpty) cell = { type: attributes.get('t'), formula: false };
    } else if (name === 'f' && opens && cell) {
      cell.formula = true;
    } else if (name === 'v' && opens && cell) {
      cell.value = isEmpty ? '' : textBetween(xml, end);
    } else if (name === 'col' && isTrue(attributes.get('hidden'))) {
      const last = Math.min(Number(attributes.get('max')), limits.columns);
      for (let at = Number(attributes.get('min')); at <= last; at++) hiddenColumns.push(at - 1);
    } else if (name === 'mergeCell') {
      const [, left = '', top = '', right = '', bottom = ''] =
        /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(attributes.get('ref') ?? '') ?? [];
      for (let at = Number(top); at <= Math.min(Number(bottom), row); at++) {
        for (let across = columnNumber(left); across <= columnNumber(right); across++) {
          if (++merged > limits.cells) throw new TableError(importText('import.damaged'));
          if (at === Number(top) && across === columnNumber(left)) continue;
          add(covered, at, across - 1, { row: Number(top), column: columnNumber(left) - 1 });
        }
      }
    }
  }
  return { faults, covered, signs: shown, hiddenRows, hiddenColumns };
}

/** Merged cells follow all rows. */
const TAGS = ['row', 'c', 'f', 'v', 'col', 'mergeCell'];

/** Returns notes for the report: the sheet that was read, the other sheets, and hidden rows and columns. */
export function sheetNotes(
  sheet: Sheet,
  sheets: readonly Sheet[],
  { hiddenRows, hiddenColumns }: SheetFacts,
  header: { row: number; columns: number },
): Message[] {
  const quoted = ({ name, isHidden }: Sheet) =>
    isHidden ? importText('import.hidden', { name: `"${name}"` }) : `"${name}"`;
  const others = sheets.filter((other) => other !== sheet).map(quoted);
  const rows = hiddenRows.filter((row) => row > header.row);
  const columns = hiddenColumns.filter((column) => column < header.columns).map(columnLetters);
  return [
    others.length > 0
      ? importText('import.one-sheet-read', { name: quoted(sheet), others })
      : importText('import.sheet-read', { name: quoted(sheet) }),
    ...(rows.length > 0 ? [importText('import.hidden-rows', { rows: listed(rows) })] : []),
    ...(columns.length > 0 ? [importText('import.hidden-columns', { columns: listed(columns) })] : []),
  ];
}
