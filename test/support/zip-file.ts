import { constants, crc32, deflateRawSync } from 'node:zlib';

interface ZipOptions {
  /** What the archive says about a part's unpacked size, where it lies. */
  claimedBytes?: number;
  flags?: number;
  /**
   * Of compression: 8 is deflate, 0 leaves the parts as they are; any other is a lie about deflated parts.
   */
  method?: number;
}

/** Content of zeros that only exists deflated, as large as it may inflate to. */
export class Inflating {
  readonly packed: Buffer;

  /** @param bytes a multiple of 16 MB */
  constructor(readonly bytes: number) {
    const piece = 16 * 1024 * 1024;
    // Flushed pieces end at a byte and can be put in a row; an empty last block ends them.
    const packed = deflateRawSync(Buffer.alloc(piece), { finishFlush: constants.Z_FULL_FLUSH });
    const pieces = Array.from({ length: bytes / piece }, () => packed);
    this.packed = Buffer.concat([...pieces, deflateRawSync(Buffer.alloc(0))]);
  }
}

/** A ZIP archive of deflated parts, as spreadsheet programs write it. */
export function zipFile(
  parts: Record<string, string | Buffer | Inflating>,
  options: ZipOptions = {},
): Buffer {
  const archive = new Archive(options);
  for (const [name, content] of Object.entries(parts)) archive.name(name, archive.store(name, content));
  return archive.end();
}

/** A ZIP archive in which all of `names` are one and the same part. */
export function overlapping(
  parts: Record<string, string | Buffer>,
  names: readonly string[],
  content: Buffer,
): Buffer {
  const archive = new Archive({});
  for (const [name, part] of Object.entries(parts)) archive.name(name, archive.store(name, part));
  const stored = archive.store(names[0]!, content);
  for (const name of names) archive.name(name, stored);
  return archive.end();
}

interface StoredPart {
  /** The header that local entry and directory entry share, without the length of the name. */
  header: Buffer;
  offset: number;
}

class Archive {
  private readonly locals: Buffer[] = [];
  private readonly directory: Buffer[] = [];
  private offset = 0;

  constructor(private readonly options: ZipOptions) {}

  store(name: string, content: string | Buffer | Inflating): StoredPart {
    const { claimedBytes, flags = 0, method = 8 } = this.options;
    const inflating = content instanceof Inflating;
    const bytes = inflating ? Buffer.alloc(0) : Buffer.from(content as string);
    const deflated = inflating ? content.packed : deflateRawSync(bytes);
    const packed = method === 0 ? bytes : deflated;
    const size = inflating ? Math.min(content.bytes, 0xfffffffe) : bytes.length;
    const header = Buffer.alloc(22);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(flags, 2);
    header.writeUInt16LE(method, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(claimedBytes ?? size, 18);
    const nameBytes = Buffer.from(name);
    const local = Buffer.concat([
      ...[Buffer.from('PK\x03\x04', 'latin1'), header],
      ...[uint16(nameBytes.length), uint16(0), nameBytes, packed],
    ]);
    const stored = { header, offset: this.offset };
    this.locals.push(local);
    this.offset += local.length;
    return stored;
  }

  name(name: string, { header, offset }: StoredPart): void {
    const nameBytes = Buffer.from(name);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    this.directory.push(
      Buffer.concat([
        ...[Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), header],
        ...[uint16(nameBytes.length), uint16(0), tail, nameBytes],
      ]),
    );
  }

  end(): Buffer {
    const directory = Buffer.concat(this.directory);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 0, 'latin1');
    end.writeUInt16LE(this.directory.length, 8);
    end.writeUInt16LE(this.directory.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.offset, 16);
    return Buffer.concat([...this.locals, directory, end]);
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

type Cell = string | number | boolean | null;

/** The parts of a workbook of one sheet; texts are shared strings, as Excel writes them. */
export function workbookParts(rows: readonly (readonly Cell[])[], sheetXml?: string): Record<string, string> {
  const strings: string[] = [];
  const cell = (value: Cell, address: string) => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `<c r="${address}" t="b"><v>${value ? 1 : 0}</v></c>`;
    strings.push(value);
    return `<c r="${address}" t="s"><v>${strings.length - 1}</v></c>`;
  };
  const rowsXml = rows.map((cells, row) => {
    const inner = cells.map((value, column) => cell(value, `${columnLetters(column)}${row + 1}`)).join('');
    return `<row r="${row + 1}">${inner}</row>`;
  });
  const sheet =
    sheetXml ?? `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rowsXml.join('')}</sheetData></worksheet>`;
  const items = strings.map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join('');
  return {
    '[Content_Types].xml':
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${MAIN}" count="${strings.length}" uniqueCount="${strings.length}">${items}</sst>`,
  };
}

/** An XLSX file of one sheet. */
export function xlsxFile(rows: readonly (readonly Cell[])[]): Buffer {
  return zipFile(workbookParts(rows));
}
