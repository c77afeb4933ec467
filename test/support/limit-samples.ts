import { readImportFile } from '../../src/files/read-import-file';
import { LIMIT_FILE, limitsOf } from '../../src/regulations/editions/limit-file';

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(cell).join(',')).join('\n');

async function read(text: string) {
  return limitsOf(await readImportFile(Buffer.from(text), LIMIT_FILE));
}

/*
 * The columns of the sample. The substances and numbers are made up; their forms are those of the real rows.
 */

const SAMPLE =
  'region,annex,entry,substance,inciName,cas,productScope,limitPercent,unit/as,condition,source'.split(',');
export const ALL_PRODUCTS = 'all (no product type given)';

export interface SampleRow {
  region?: string;
  annex?: string;
  entry?: string;
  substance?: string;
  names?: string;
  cas?: string;
  scope?: string;
  limit?: string;
  unit?: string;
  condition?: string;
}

const sampleRow = (row: SampleRow) => [
  row.region ?? 'EU',
  row.annex ?? 'III',
  row.entry ?? '901',
  row.substance ?? 'Examplin',
  row.names ?? 'EXAMPLIN',
  row.cas ?? '',
  row.scope ?? ALL_PRODUCTS,
  row.limit ?? '',
  row.unit ?? '%',
  row.condition ?? '',
  'made up for a test',
];

export const readSample = (...rows: readonly SampleRow[]) => read(csv(SAMPLE, ...rows.map(sampleRow)));
