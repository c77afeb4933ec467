import { crc32, inflateRawSync } from 'node:zlib';
import { megabytes, TableError, type TableLimits } from './table';

/*
 * An XLSX file is a ZIP archive of XML files. The archive's own statements about sizes cannot be believed: a few
 * kilobytes may unpack to gigabytes, and one cell in the last row and column makes a reader allocate the whole
 * sheet. So the archive is unpacked here within bounds, the cells' addresses are checked, and only then a clean
 * copy goes to the library that reads spreadsheets.
 */

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const END_OF_DIRECTORY_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_ENTRIES = 1000;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1;
const UTF8_NAMES = 0x800;
/** Where a sheet ends in Excel. */
const SHEET_ROWS = 1_048_576;

interface Part {
  name: string;
  content: Buffer;
}

const damaged = () => new TableError('The XLSX file is damaged.');

/**
 * A copy of the workbook that is safe to parse: only its XML parts, uncompressed, within the limits.
 * @throws TableError when the archive is damaged, encrypted, or unpacks to more than the limits allow
 */
export function boundedWorkbook(file: Buffer, limits: TableLimits): Buffer {
  const parts = unpack(file, limits);
  if (!parts.some(({ name }) => name === 'xl/workbook.xml')) {
    throw new TableError('The file is a ZIP archive, but no XLSX workbook.');
  }
  for (const part of parts) checkAddresses(part, limits);
  return pack(parts);
}

function unpack(file: Buffer, limits: TableLimits): Part[] {
  const parts = new Map<string, Part>();
  let room = limits.unpackedBytes;
  try {
    for (const entry of directory(file)) {
      if (!/\.(xml|xml\.rels)$/.test(entry.name)) continue;
      if (entry.flags & ENCRYPTED)
        throw new TableError('The XLSX file is encrypted: save it without a password.');
      const content = partContent(file, entry, room, limits);
      room -= content.length;
      parts.set(entry.name, { name: entry.name, content });
    }
  } catch (error) {
    // Any offset that points outside the file, and anything zlib cannot inflate.
    throw error instanceof TableError ? error : damaged();
  }
  return [...parts.values()];
}

interface Entry {
  name: string;
  flags: number;
  method: number;
  compressedBytes: number;
  offset: number;
}

function directory(file: Buffer): Entry[] {
  let end = file.length - END_OF_DIRECTORY_BYTES;
  const last = Math.max(0, end - MAX_COMMENT_BYTES);
  while (end >= last && file.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < last) throw damaged();
  const count = file.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new TableError(`The XLSX file holds more than ${MAX_ENTRIES} parts.`);

  const entries: Entry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (file.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged();
    const nameBytes = file.readUInt16LE(at + 28);
    entries.push({
      flags: file.readUInt16LE(at + 8),
      method: file.readUInt16LE(at + 10),
      compressedBytes: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
      // Some writers use backslashes or a leading slash.
      name: file
        .toString('utf8', at + 46, at + 46 + nameBytes)
        .replaceAll('\\', '/')
        .replace(/^\//, ''),
    });
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function partContent(file: Buffer, entry: Entry, room: number, limits: TableLimits): Buffer {
  if (file.readUInt32LE(entry.offset) !== LOCAL_ENTRY) throw damaged();
  const start =
    entry.offset + 30 + file.readUInt16LE(entry.offset + 26) + file.readUInt16LE(entry.offset + 28);
  const packed = file.subarray(start, start + entry.compressedBytes);
  if (packed.length !== entry.compressedBytes) throw damaged();
  const tooLarge = () =>
    new TableError(
      `The XLSX file unpacks to more than ${megabytes(limits.unpackedBytes)}: split it, or save it as CSV.`,
    );
  if (entry.method === STORED) {
    if (packed.length > room) throw tooLarge();
    return packed;
  }
  if (entry.method !== DEFLATED) throw damaged();
  if (room <= 0) throw tooLarge();
  try {
    return inflateRawSync(packed, { maxOutputLength: room });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw error;
  }
}

const CELL_OR_ROW = /<(?:\w+:)?(?:c|row)(?=\s)([^<>]*)>/g;
const ADDRESS = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/** Rows and columns within the limits: a reader fills every gap before a far cell with empty ones. */
function checkAddresses({ name, content }: Part, limits: TableLimits): void {
  if (!name.startsWith('xl/worksheets/')) return;
  for (const [, attributes = ''] of content.toString('latin1').matchAll(CELL_OR_ROW)) {
    const found = ADDRESS.exec(attributes);
    if (!found) continue;
    const address = /^([A-Z]{0,3})(\d{1,7})$/.exec(found[1] ?? found[2] ?? '');
    const row = Number(address?.[2]);
    if (!address || row < 1 || row > SHEET_ROWS) throw damaged();
    if (row > limits.rows + 1) {
      throw new TableError(
        `The sheet has more than ${limits.rows.toLocaleString('en')} rows (a cell in row ${row}): split it, or delete empty rows below the table.`,
      );
    }
    if (columnNumber(address[1] ?? '') > limits.columns) {
      throw new TableError(
        `The sheet has more than ${limits.columns} columns (cell ${address[0]}): delete what stands right of the table.`,
      );
    }
  }
}

function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

/** A ZIP archive of uncompressed parts. */
function pack(parts: Part[]): Buffer {
  const chunks: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const nameBytes = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(STORED, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);

    const local = Buffer.concat([uint32(LOCAL_ENTRY), common, nameBytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([uint32(DIRECTORY_ENTRY), Buffer.from([20, 0]), common, tail, nameBytes]));
    chunks.push(local, content);
    offset += local.length + content.length;
  }
  const directoryBytes = Buffer.concat(central);
  const end = Buffer.alloc(END_OF_DIRECTORY_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, directoryBytes, end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
