import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { escapeEscaped } from '../../platform/common/formula-escape';
import { columnLetters } from '../reading/table';
import type { FileCell, Pieces, FileRows } from './file-pieces';

/** Most rows of a sheet. */
const MAX_ROWS = 1_048_576;

/** Longest text of a cell. */
const MAX_CELL = 32_767;

/** Characters that XML 1.0 cannot contain. */
// eslint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const REPLACEMENT = '\u25a1';

/** A text that Excel would show as the character with this code: `_x0041_` as `A`. */
const LIKE_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const SHEET = 'xl/worksheets/sheet1.xml';

/** The parts of a workbook with one sheet, except the sheet. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/${SHEET}" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
    '<sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/**
 * Yields an XLSX workbook with one sheet, written while its rows arrive: `write-excel-file` needs all of them at
 * once. Texts are never formulas.
 * @throws Error if there are more rows than a sheet can have
 */
export async function* workbookPieces(columns: readonly string[], pages: AsyncIterable<FileRows>): Pieces {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  for (const [name, content] of Object.entries(PARTS)) {
    const part = new ZipPassThrough(name);
    zip.add(part);
    part.push(strToU8(HEAD + content), true);
  }
  const sheet = new ZipDeflate(SHEET, { level: 1 });
  zip.add(sheet);
  sheet.push(strToU8(`${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rowXml(columns, 1)}`));
  let count = 1;
  for await (const rows of pages) {
    if (count + rows.length > MAX_ROWS) throw new Error(`A sheet has at most ${MAX_ROWS} rows`);
    sheet.push(strToU8(rows.map((row) => rowXml(row, ++count)).join('')));
    yield* made.splice(0);
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield* made.splice(0);
}

const rowXml = (cells: readonly FileCell[], row: number): string =>
  `<row r="${row}">${cells.map((cell, column) => cellXml(cell, columnLetters(column) + row)).join('')}</row>`;

function cellXml(cell: FileCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(escapeEscaped(cell))}</t></is></c>`;
}

const escaped = (text: string): string =>
  text
    .slice(0, MAX_CELL)
    .toWellFormed()
    .replaceAll(NOT_IN_XML, REPLACEMENT)
    .replaceAll(LIKE_ESCAPED, '_x005F_')
    .replaceAll('\r', '_x000D_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
