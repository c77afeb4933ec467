import { workbookParts, zipFile } from '../zip-file';

/** A cell as spreadsheet programs store it; a formula without a value was never calculated. */
export type Cell =
  | string
  | number
  | null
  | { value?: number | string; formula?: string; format?: 'percent' | 'percent 0.0' | 'date' | '€' | 'US$' };

export interface Sheet {
  name: string;
  rows: readonly (readonly Cell[])[];
  merged?: readonly string[];
  hiddenRows?: readonly number[];
  /** From 1. */
  hiddenColumns?: readonly number[];
}

const FORMATS = ['', 'percent', 'date', 'percent 0.0', '€', 'US$'];
const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="0.0\\ %"/>' +
  '<numFmt numFmtId="165" formatCode="#,##0.00\\ [$€-407];[Red]0"/>' +
  '<numFmt numFmtId="166" formatCode="&quot;US$&quot;0.00&quot;%&quot;"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="10"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="14"/><xf numFmtId="164"/>' +
  '<xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function cellXml(cell: Cell, address: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'string') {
    return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`;
  }
  const { value, formula, format = '' } = typeof cell === 'number' ? { value: cell } : cell;
  const type = typeof value === 'string' ? ' t="str"' : '';
  const inner = (formula ? `<f>${formula}</f>` : '') + (value === undefined ? '' : `<v>${value}</v>`);
  return `<c r="${address}" s="${FORMATS.indexOf(format)}"${type}>${inner}</c>`;
}

function sheetXml({ rows, merged = [], hiddenRows = [], hiddenColumns = [] }: Sheet): string {
  const hidden = (is: boolean) => (is ? ' hidden="1"' : '');
  const columns = hiddenColumns.map((column) => `<col min="${column}" max="${column}" hidden="1"/>`).join('');
  const rowsXml = rows.map((cells, at) => {
    const inner = cells.map((cell, column) => cellXml(cell, String.fromCharCode(65 + column) + (at + 1)));
    return `<row r="${at + 1}"${hidden(hiddenRows.includes(at + 1))}>${inner.join('')}</row>`;
  });
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    (columns && `<cols>${columns}</cols>`) +
    `<sheetData>${rowsXml.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`
  );
}

/** An XLSX file of these sheets. */
export function workbook(...sheets: Sheet[]): Buffer {
  const parts = workbookParts([]);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const [relations = '', list = ''] = ['xl/_rels/workbook.xml.rels', 'xl/workbook.xml'].map(
    (part) => parts[part]!,
  );
  return zipFile({
    ...parts,
    'xl/styles.xml': STYLES,
    'xl/_rels/workbook.xml.rels': relations.replace(
      /<Relationship Id="rId1".*(?=<\/Relationships>)/s,
      sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('') +
        relation('styles', 'styles', 'styles.xml'),
    ),
    'xl/workbook.xml': list.replace(
      /<sheet .*?\/>/,
      sheets
        .map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join(''),
    ),
    ...Object.fromEntries(sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)])),
  });
}

/** A text in an encoding that Node only decodes, of one or two bytes a character. */
export function encoded(text: string, encoding: 'gbk' | 'windows-1252'): Buffer {
  const decode = (bytes: Buffer) => new TextDecoder(encoding).decode(bytes, { stream: true });
  const bytesOf = new Map<string, Buffer>();
  for (let byte = 0; byte < 256; byte++) {
    for (let trail = 0x40; encoding === 'gbk' && byte > 0x80 && trail < 0xff; trail++) {
      const bytes = Buffer.from([byte, trail]);
      bytesOf.set(decode(bytes), bytes);
    }
    if (encoding !== 'gbk' || byte < 0x80) bytesOf.set(decode(Buffer.from([byte])), Buffer.from([byte]));
  }
  return Buffer.concat([...text].map((character) => bytesOf.get(character)!));
}
