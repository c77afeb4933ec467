import { inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { importText } from '../import.texts';
import { megabytes, TableError, type TableLimits } from './table';
import { damaged } from './xml-tags';

/*
 * An XLSX file is a ZIP archive of XML files. The sizes that the archive declares cannot be trusted: a few
 * kilobytes may unpack to gigabytes. Therefore no part is inflated beyond the limits.
 */

const MAX_ENTRIES = 1000;
/** Compression methods of ZIP. */
const STORED = 0;
const DEFLATED = 8;

const encrypted = () => new TableError(importText('import.encrypted'));

/**
 * Returns the XML parts of a workbook by name.
 * @throws TableError if the archive is damaged, encrypted, or unpacks to more than the limits allow
 */
export async function workbookParts(file: Buffer, limits: TableLimits): Promise<ReadonlyMap<string, Buffer>> {
  const parts = await unpack(file, limits);
  if (!parts.has('xl/workbook.xml')) throw new TableError(importText('import.no-workbook'));
  return parts;
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
