import type { Message } from '../../platform/texts/define-texts';
import { importText } from '../import.texts';
import { type CellKind, columnLetters, TableError, type TableLimits } from './table';
import { type CellStyle, isTrue, unescapeText, type Workbook } from './xlsx-workbook';
import { damaged, unreadable, type XmlTag, xmlTags } from './xml-tags';

/** Number of rows of a sheet in Excel. */
const SHEET_ROWS = 1_048_576;

/** Most characters of a cell in Excel. Thousands of cells may share one text, and be reported with it. */
const LONGEST_CELL = 32_767;

/** The first cell of merged cells: its row (from 1) and its column (from 0). */
interface MergedInto {
  readonly row: number;
  readonly column: number;
}

/** A row of a sheet. Its columns are counted from 0. */
export interface SheetRow {
  /** Numbers in their shortest decimal form or as a percentage, dates in ISO form; empty for an empty cell. */
  readonly texts: string[];
  readonly kinds: (CellKind | undefined)[];
  /** Signs that are shown with numbers. */
  signs?: Map<number, string>;
  /** Faults of unreadable cells: an error, or a formula without its result. */
  faults?: Map<number, Message>;
}

/** The content of a sheet. */
export interface SheetContent {
  readonly rows: readonly SheetRow[];
  /** Cells that are covered by another one, by row (from 1) and column (from 0). */
  readonly covered: ReadonlyMap<number, ReadonlyMap<number, MergedInto>>;
  /** Rows that a filter or a user hides, from 1. */
  readonly hiddenRows: readonly number[];
  readonly hiddenColumns: readonly number[];
}

/** A cell while its tags are read. */
interface OpenCell {
  readonly type: string;
  readonly style: string | undefined;
  hasFormula: boolean;
  value?: string;
  inlineText?: string;
}

interface CellValue {
  readonly text: string;
  readonly kind?: CellKind;
}

const EMPTY: CellValue = { text: '' };

/**
 * Reads all cells of a sheet. Rows and cells without an address follow the previous one.
 * @throws TableError if a cell is outside the limits or cannot be read, or an address is invalid or out of order
 */
export function readSheet(xml: string, workbook: Workbook, limits: TableLimits): SheetContent {
  const scan = new SheetScan(workbook, limits);
  for (const tag of xmlTags(xml)) scan.take(tag);
  return scan.content();
}

class SheetScan {
  private readonly rows: SheetRow[] = [];
  private readonly covered = new Map<number, Map<number, MergedInto>>();
  private readonly hiddenRows: number[] = [];
  private readonly hiddenColumns = new Set<number>();
  private isInData = false;
  private isPhonetic = false;
  private cell: OpenCell | undefined;
  private row = 0;
  /** From 1. */
  private column = 0;
  /** The last column with a tag, and the last one with a value. */
  private lastColumn = 0;
  private width = 0;
  private mergedCells = 0;

  constructor(
    private readonly workbook: Workbook,
    private readonly limits: TableLimits,
  ) {}

  take(tag: XmlTag): void {
    const { name, opens, attributes } = tag;
    if (name === 'sheetData') this.isInData = opens;
    else if (this.cell) this.takeInCell(this.cell, tag);
    else if (!opens) return;
    else if (this.isInData && name === 'row') this.beginRow(attributes);
    else if (this.isInData && name === 'c') this.beginCell(attributes);
    else if (name === 'col' && isTrue(attributes.get('hidden'))) {
      const first = Math.max(Number(attributes.get('min')), 1);
      const last = Math.min(Number(attributes.get('max')), this.limits.columns);
      for (let at = first; at <= last; at++) this.hiddenColumns.add(at - 1);
    } else if (name === 'mergeCell') this.merge(attributes.get('ref') ?? '');
  }

  content(): SheetContent {
    const { rows, lastColumn, width, limits, covered, hiddenRows, hiddenColumns } = this;
    if (rows.length * lastColumn > limits.cells) {
      const max = limits.cells.toLocaleString('en');
      throw new TableError(importText('import.many-cells', { max, rows: rows.length, columns: lastColumn }));
    }
    for (const { texts } of rows) while (texts.length < width) texts.push('');
    return { rows, covered, hiddenRows, hiddenColumns: [...hiddenColumns] };
  }

  private takeInCell(cell: OpenCell, { name, opens, text }: XmlTag): void {
    if (name === 'rPh') this.isPhonetic = opens;
    else if (name === 'f') cell.hasFormula = true;
    else if (name === 'v' && !opens) cell.value = text;
    else if (name === 'is' && opens) cell.inlineText = '';
    else if (name === 't' && !opens && cell.inlineText !== undefined && !this.isPhonetic) {
      cell.inlineText += text;
    } else if (name === 'c' && !opens) this.endCell(cell);
  }

  private beginRow(attributes: XmlTag['attributes']): void {
    const { digits } = addressIn(attributes);
    const row = digits ? Number(digits) : this.row + 1;
    if (row < 1 || row > SHEET_ROWS) throw damaged();
    if (row <= this.row)
      throw unreadable(importText('import.rows-out-of-order', { row, previous: this.row }));
    this.row = row;
    this.column = 0;
    const { rows, limits } = this;
    if (row > limits.rows + 1) {
      throw new TableError(importText('import.long-sheet', { max: limits.rows.toLocaleString('en'), row }));
    }
    if (isTrue(attributes.get('hidden'))) this.hiddenRows.push(row);
    while (rows.length < row) rows.push({ texts: [], kinds: [] });
  }

  private beginCell(attributes: XmlTag['attributes']): void {
    const { letters, digits } = addressIn(attributes);
    const column = letters ? columnNumber(letters) : this.column + 1;
    if (this.row === 0 || (digits && Number(digits) !== this.row)) throw damaged();
    if (column > this.limits.columns) {
      const cell = attributes.get('r') ?? `in column ${column}`;
      throw new TableError(importText('import.wide-sheet', { max: this.limits.columns, cell }));
    }
    if (column <= this.column)
      throw unreadable(importText('import.cells-out-of-order', { cell: this.address(column) }));
    this.column = column;
    this.lastColumn = Math.max(this.lastColumn, column);
    this.cell = { type: attributes.get('t') ?? 'n', style: attributes.get('s'), hasFormula: false };
  }

  private endCell(cell: OpenCell): void {
    this.cell = undefined;
    const { column } = this;
    const row = this.rows.at(-1)!;
    const fault = this.faultOf(cell);
    if (fault) (row.faults ??= new Map()).set(column - 1, fault);
    const sign = this.styleOf(cell)?.sign;
    if (sign !== undefined) (row.signs ??= new Map()).set(column - 1, sign);
    const { text, kind } = this.valueOf(cell);
    if (text === '') return;
    if (text.length > LONGEST_CELL) throw unreadable(importText('import.long-cell', { max: LONGEST_CELL }));
    while (row.texts.length < column - 1) row.texts.push('');
    row.texts[column - 1] = text;
    if (kind) row.kinds[column - 1] = kind;
    this.width = Math.max(this.width, column);
  }

  private faultOf({ type, hasFormula, value }: OpenCell): Message | undefined {
    const cell = this.address(this.column);
    if (type === 'e') return importText('import.cell-error', { cell, error: value ?? '' });
    // The result of a formula can be an empty text.
    const isMissing = value === undefined || (value === '' && type !== 'str');
    return hasFormula && isMissing ? importText('import.cell-without-result', { cell }) : undefined;
  }

  private styleOf({ style }: OpenCell): CellStyle | undefined {
    return this.workbook.styles[Number(style ?? 0)];
  }

  private valueOf(cell: OpenCell): CellValue {
    const { type, value = '', inlineText = '' } = cell;
    if (type === 'inlineStr') return { text: unescapeText(inlineText) };
    if (value === '') return EMPTY;
    switch (type) {
      case 'str':
        return { text: unescapeText(value) };
      case 's':
        return { text: this.workbook.strings[Number(value)] ?? this.refuse() };
      case 'b':
        return value === '1' ? { text: 'TRUE' } : value === '0' ? { text: 'FALSE' } : this.refuse();
      case 'e':
        return EMPTY;
      case 'd':
        return this.dateOf(new Date(value));
      case 'n':
        return this.numberOf(Number(value), cell);
      default:
        return this.refuse();
    }
  }

  private numberOf(number: number, cell: OpenCell): CellValue {
    const style = this.styleOf(cell);
    if (Number.isNaN(number) || (cell.style !== undefined && !style)) return this.refuse();
    if (style?.isDate) return this.dateOf(dateOfDays(number, this.workbook.isFrom1904));
    return style?.isPercent
      ? { text: `${numberText(number * 100)}%`, kind: 'percent' }
      : { text: numberText(number), kind: 'number' };
  }

  private dateOf(date: Date): CellValue {
    return Number.isNaN(date.getTime()) ? this.refuse() : { text: date.toISOString(), kind: 'date' };
  }

  private refuse(): never {
    throw unreadable(importText('import.invalid-cell', { cell: this.address(this.column) }));
  }

  private address(column: number): string {
    return `${columnLetters(column - 1)}${this.row}`;
  }

  /** Merged cells follow all rows. */
  private merge(range: string): void {
    const [, left = '', top = '', right = '', bottom = ''] =
      /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
    const into = { row: Number(top), column: columnNumber(left) - 1 };
    for (let row = into.row; row <= Math.min(Number(bottom), this.row); row++) {
      for (let column = into.column; column < columnNumber(right); column++) {
        if (++this.mergedCells > this.limits.cells) throw damaged();
        if (row === into.row && column === into.column) continue;
        const cells = this.covered.get(row) ?? new Map<number, MergedInto>();
        this.covered.set(row, cells.set(column, into));
      }
    }
  }
}

/** Splits `AB12`. A row has digits only. */
function addressIn(attributes: XmlTag['attributes']): { letters: string; digits: string } {
  const address = attributes.get('r');
  const [, letters, digits] = /^([A-Z]{0,3})(\d{0,7})$/.exec(address ?? '') ?? [];
  if (letters === undefined || (address !== undefined && !digits)) throw damaged();
  return { letters, digits: digits! };
}

/** Column A is 1, AA is 27. */
const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days from the beginning of 1900 to 1970, with the 29 February 1900 that Excel counts, and from 1900 to 1904. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1904 = 1462;

const dateOfDays = (days: number, isFrom1904: boolean): Date =>
  new Date(Math.floor((days + (isFrom1904 ? DAYS_TO_1904 : 0) - DAYS_TO_1970) * DAY_MS));

/** Excel shows 15 digits: the last digit of `12.350000000000001` is a binary rounding error. */
function numberText(number: number): string {
  const shown = String(Number(number.toPrecision(15)));
  return shown.length < String(number).length - 3 ? shown : String(number);
}
