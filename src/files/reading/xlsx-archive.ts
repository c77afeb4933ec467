import { inflateRawSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { importText } from '../import.texts';
import { checkCellAddresses } from './xlsx-tags';
import { megabytes, TableError, type TableLimits } from './table';

/*
 * An XLSX file is a ZIP archive of XML files. The sizes that the archive declares cannot be trusted: a few
 * kilobytes may unpack to gigabytes. Therefore no part is inflated beyond the limits, and only parts within them
 * are copied to a clean workbook for the library that reads spreadsheets.
 */

const MAX_ENTRIES = 1000;
/** Compression methods of ZIP. */
const STORED = 0;
const DEFLATED = 8;

const damaged = () => new TableError(importText('import.damaged'));
const encrypted = () => new TableError(importText('import.encrypted'));

/**
 * Returns the workbook's XML parts within the limits, and a copy of the workbook that is safe to parse: only these
 * parts, uncompressed.
 * @throws TableError if the archive is damaged, encrypted, or unpacks to more than the limits allow
 */
export async function boundedWorkbook(
  file: Buffer,
  limits: TableLimits,
): Promise<{ parts: ReadonlyMap<string, Buffer>; workbook: Uint8Array }> {
  const parts = await unpack(file, limits);
  if (!parts.has('xl/workbook.xml')) {
    throw new TableError(importText('import.no-workbook'));
  }
  // The list of formulas contains cells of all sheets, and no reader needs it.
  parts.delete('xl/calcChain.xml');
  for (const content of parts.values()) {
    checkTags(content);
    // Checked in every part, because the workbook may declare any part as a sheet.
    checkCellAddresses(content, limits);
  }
  return { parts, workbook: zipSync(Object.fromEntries(parts) satisfies Zippable, { level: 0 }) };
}

/** Longest tag, in bytes: a reader stores all attributes of a tag. */
const MOST_TAG_BYTES = 64 * 1024;

function checkTags(xml: Buffer): void {
  for (let open = xml.indexOf('<'); open >= 0;) {
    const close = xml.indexOf('>', open);
    if ((close < 0 ? xml.length : close) - open > MOST_TAG_BYTES) throw damaged();
    open = close < 0 ? -1 : xml.indexOf('<', close);
  }
}

async function unpack(file: Buffer, limits: TableLimits): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  let left = limits.unpackedBytes;
  try {
    // Names are decoded below: some writers begin them with a slash, which yauzl refuses.
    const zip = await fromBufferPromise(file, { decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > MAX_ENTRIES) {
      throw new TableError(importText('import.too-many-parts', { max: MAX_ENTRIES }));
    }
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (!/\.(xml|xml\.rels)$/.test(name)) continue;
      if (entry.isEncrypted()) throw encrypted();
      const content = await contentOf(entry, zip, file, left);
      if (!content) {
        const size = megabytes(limits.unpackedBytes);
        throw new TableError(importText('import.unpacks-to', { size }));
      }
      left -= content.length;
      parts.set(name, content);
    }
  } catch (error) {
    if (error instanceof TableError) throw error;
    // yauzl refuses strong encryption of the directory with this message. All other errors of yauzl and zlib mean
    // damage.
    throw /strong encryption/i.test((error as Error).message) ? encrypted() : damaged();
  }
  return parts;
}

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\//, '');
}

/** Returns the part's content; undefined if it has more than `most` bytes. No more than these are inflated. */
async function contentOf(
  entry: Entry,
  zip: ZipFile,
  file: Buffer,
  most: number,
): Promise<Buffer | undefined> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = file.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  if (entry.compressionMethod === STORED) return packed.length > most ? undefined : packed;
  if (entry.compressionMethod !== DEFLATED) throw damaged();
  if (most === 0) return undefined;
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
