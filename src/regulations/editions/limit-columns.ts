/** A row of a file: its cells by field, trimmed; a cell that the file does not have is empty. */
export interface LimitRow {
  readonly line: number;
  readonly cell: (field: LimitField) => string;
}

/** Columns of all the tables that can be read, by field. `required` is the one that all of them have. */
export const LIMIT_COLUMNS = [
  { field: 'region', aliases: [] },
  { field: 'annex', aliases: [] },
  { field: 'entry', aliases: ['Reference Number'] },
  { field: 'tier', aliases: [] },
  { field: 'substance', aliases: [], pattern: /^chemicalname(?:inn|innxan)?$/ },
  {
    field: 'inciNames',
    aliases: [
      'inciName',
      'Name of Common Ingredients Glossary',
      'Colour index Number / Name of Common Ingredients Glossary',
    ],
  },
  { field: 'casNumbers', aliases: ['cas', 'CAS Number', 'casNumber'], required: true },
  { field: 'kind', aliases: [] },
  { field: 'productTypes', aliases: ['productType'] },
  { field: 'scope', aliases: ['productScope', 'Product Type, body parts'] },
  { field: 'limitPercent', aliases: [] },
  { field: 'unit', aliases: ['unit/as'] },
  { field: 'basis', aliases: [] },
  { field: 'factor', aliases: [] },
  { field: 'sumGroup', aliases: [] },
  { field: 'purpose', aliases: [] },
  { field: 'conditions', aliases: ['condition'] },
  { field: 'validFrom', aliases: [] },
  { field: 'validUntil', aliases: [] },
  { field: 'source', aliases: [] },
  { field: 'ecNumber', aliases: ['EC Number'] },
  { field: 'maximum', aliases: ['Maximum concentration in ready for use preparation'] },
  { field: 'other', aliases: [] },
  { field: 'wording', aliases: ['Wording of conditions of use and warnings'] },
  { field: 'regulation', aliases: [] },
  { field: 'identified', aliases: ['Identified INGREDIENTS or substances e.g.'] },
  { field: 'updated', aliases: ['Update date'] },
] as const;

export type LimitField = (typeof LIMIT_COLUMNS)[number]['field'];

/** Most characters of a cell, where less is not enough. */
const MAX_CELL = 10_000;
const SHORTER: Readonly<Partial<Record<string, number>>> = {
  region: 20,
  annex: 100,
  entry: 50,
  tier: 50,
  kind: 50,
  limitPercent: 100,
  unit: 300,
  basis: 200,
  factor: 50,
  sumGroup: 200,
  purpose: 200,
  maximum: 2000,
  scope: 1000,
  productTypes: 1000,
  source: 2000,
};

export const maxLengthOf = (field: string): number => SHORTER[field] ?? MAX_CELL;

/** A table that can be read, by the columns that only it has. */
type LimitTable = 'own' | 'sample' | 'cosing';

/** Undefined for a table that is none of them. */
export function tableOf(fields: ReadonlySet<string>): LimitTable | undefined {
  if (fields.has('unit') && fields.has('limitPercent') && fields.has('annex')) return 'sample';
  if (fields.has('kind') && fields.has('annex')) return 'own';
  if (fields.has('entry') && fields.has('substance') && fields.has('regulation')) return 'cosing';
  return undefined;
}
