import { importText } from '../import.texts';
import { TableError, type TableLimits } from './table';

const damaged = () => new TableError(importText('import.damaged'));

/** One attribute with any value. */
const ATTRIBUTE = /\s+(?:[\w-]+:)?([\w-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END_OF_TAG = /\s*(\/?)>/y;

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

export interface XmlTag {
  /** Without its prefix. */
  name: string;
  /** False for a closing tag. */
  opens: boolean;
  /** The element has no content. */
  isEmpty: boolean;
  attributes: ReadonlyMap<string, string>;
  /** Position after the tag. */
  end: number;
}

/**
 * Yields the tags of the elements with these names, in their order.
 * @throws TableError for a tag whose attributes cannot be read
 */
export function* xmlTags(xml: string, names: readonly string[]): Generator<XmlTag> {
  const tag = new RegExp(`<(/?)(?:[^\\s<>:/]+:)?(${names.join('|')})(?=[\\s/>])`, 'g');
  for (const found of xml.matchAll(tag)) {
    const attributes = new Map<string, string>();
    let end = found.index + found[0].length;
    ATTRIBUTE.lastIndex = end;
    for (let one = ATTRIBUTE.exec(xml); one; one = ATTRIBUTE.exec(xml)) {
      attributes.set(one[1]!, decodeEntities(one[2] ?? one[3] ?? ''));
      end = ATTRIBUTE.lastIndex;
    }
    END_OF_TAG.lastIndex = end;
    const [closing, slash] = END_OF_TAG.exec(xml) ?? [];
    if (closing === undefined) throw damaged();
    end += closing.length;
    yield { name: found[2]!, opens: found[1] === '', isEmpty: slash === '/', attributes, end };
  }
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
    if (name) return ENTITIES.get((name as string).toLowerCase()) ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Returns the text between two tags. */
export const textBetween = (xml: string, start: number): string =>
  decodeEntities(xml.slice(start, xml.indexOf('<', start)));

/** Number of rows of a sheet in Excel. */
const SHEET_ROWS = 1_048_576;

/**
 * Checks the rows and columns of a sheet's XML against the limits, and the rectangle that they span: a reader fills
 * all of it, even for a single cell in its corner. Rows and cells without an address follow the previous one.
 * @throws TableError if a cell is outside the limits, or its address is invalid
 */
export function checkCellAddresses(sheet: Buffer, limits: TableLimits): void {
  let row = 0;
  let column = 0;
  let lastRow = 0;
  let lastColumn = 0;
  for (const { name, opens, attributes } of xmlTags(sheet.toString('latin1'), ['c', 'row'])) {
    if (!opens) continue;
    const address = attributes.get('r');
    const isRow = name === 'row';
    const [, letters, digits] = /^([A-Z]{0,3})(\d{0,7})$/.exec(address ?? '') ?? [];
    if (letters === undefined || (address !== undefined && !digits)) throw damaged();
    row = digits ? Number(digits) : isRow ? row + 1 : row;
    column = isRow ? 0 : letters ? columnNumber(letters) : column + 1;
    if (row < 1 ? address !== undefined : row > SHEET_ROWS) throw damaged();
    checkRow(row, limits);
    if (column > limits.columns) {
      throw new TableError(
        importText('import.wide-sheet', {
          max: limits.columns,
          cell: address ?? `in column ${column}`,
        }),
      );
    }
    lastRow = Math.max(lastRow, row);
    lastColumn = Math.max(lastColumn, column);
  }
  if (lastRow * lastColumn > limits.cells) {
    const max = limits.cells.toLocaleString('en');
    throw new TableError(importText('import.many-cells', { max, rows: lastRow, columns: lastColumn }));
  }
}

function checkRow(row: number, limits: TableLimits): void {
  if (row <= limits.rows + 1) return;
  const max = limits.rows.toLocaleString('en');
  throw new TableError(importText('import.long-sheet', { max, row }));
}

/** Column A is 1, AA is 27. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
