import type { Composition, CompositionLine } from '../../src/formulas/composition/composition';
import { expand } from '../../src/formulas/composition/expansion';
import type { Substance, SubstanceRole } from '../../src/ingredients/raw-materials/substance';
import { screen } from '../../src/regulations/screening/screen';
import type { Finding, ScreeningConditions } from '../../src/regulations/screening/screening-model';
import { type Limit } from '../../src/regulations/editions/limit.entity';
import { PRODUCT_TYPES } from '../../src/formulas/product-types';

/** A substance of a raw material, in percent of it, or between two percentages. */
export interface Part {
  readonly name: string;
  readonly share: number | readonly [min: number, max: number];
  readonly cas?: string;
  readonly role?: SubstanceRole;
}

export interface Material {
  readonly name: string;
  readonly percentage: number;
  readonly of?: readonly Part[];
  /** Null where the reader may not see it. */
  readonly category?: string | null;
  readonly phase?: string;
}

export const part = (name: string, share: Part['share'], more: Partial<Part> = {}): Part => ({
  name,
  share,
  ...more,
});
export const material = (name: string, percentage: number, more: Partial<Material> = {}): Material => ({
  name,
  percentage,
  ...more,
});

let rows = 0;

/** A row of a table as a reader gives it: for all products, unless `overrides` says otherwise. */
export const limit = (overrides: Partial<Limit> = {}): Limit => ({
  id: `row ${String(++rows).padStart(6, '0')}`,
  editionId: 'edition',
  region: 'eu',
  annex: 'III',
  entry: '1',
  tier: null,
  substance: overrides.inciNames?.join('; ') ?? 'the group',
  inciNames: [],
  casNumbers: [],
  kind: 'maximum',
  scope: null,
  productTypes: PRODUCT_TYPES,
  limitPercent: null,
  limitText: overrides.limitPercent ? `${overrides.limitPercent} %` : null,
  basis: null,
  factor: null,
  sumGroup: null,
  purpose: null,
  conditions: null,
  validFrom: null,
  validUntil: null,
  source: 'made up',
  ...overrides,
});

const substance = ({ name, share, cas, role }: Part): Substance => ({
  inciName: name,
  chineseName: null,
  casNumber: cas ?? null,
  ecNumber: null,
  minPercentage: typeof share === 'number' ? share : share[0],
  maxPercentage: typeof share === 'number' ? share : share[1],
  role: role ?? null,
});

const lineOf = ({ name, percentage, category = 'other' }: Material): CompositionLine => ({
  id: name,
  ingredientId: name,
  ingredient: { id: name, inciName: name, chineseName: '中文名' },
  percentage,
  processNotes: null,
  catalogue:
    category === null
      ? null
      : { functionCategory: category, unit: 'kg', unitPrice: null, casNumbers: [], card: null },
});

export async function expansionOf(materials: readonly Material[]) {
  const composition: Composition = {
    formulaId: 'f',
    formulaName: 'F',
    versionNumber: 1,
    createdAt: '',
    profile: null,
    phases: materials.map((one, index) => ({
      name: one.phase ?? 'A',
      sortOrder: index,
      ingredients: [lineOf(one)],
    })),
  };
  const given = new Map(
    materials.flatMap(({ name, of }) => (of ? [[name, of.map(substance)] as const] : [])),
  );
  return await expand(composition, given);
}

const CONDITIONS: ScreeningConditions = { productType: 'face-leave-on', on: '2026-12-01' };

export const screened = async (
  materials: readonly Material[],
  limits: readonly Limit[] | null,
  conditions: Partial<ScreeningConditions> = {},
) => screen(await expansionOf(materials), limits, { ...CONDITIONS, ...conditions });

/** A finding in one line: `above-limit III/1 Phenoxyethanol 1.2`. */
export const inShort = ({ result, missing, limits, substances, amount }: Finding): string =>
  [
    result,
    missing.length > 0 ? `(${missing.join(', ')})` : '',
    limits.map(({ annex, entry, tier }) => `${annex}/${entry}${tier ?? ''}`).join('+'),
    substances
      .map(({ subject }) => (subject.isNano ? `${subject.inciName} (nano)` : subject.inciName))
      .join('+'),
    amount?.toFixed() ?? '?',
  ]
    .filter((word) => word !== '')
    .join(' ');

/** All findings in short, without those of substances that nothing matched. */
export const found = async (...arguments_: Parameters<typeof screened>): Promise<string[]> =>
  (await screened(...arguments_)).findings.filter(({ result }) => result !== 'no-entry-matched').map(inShort);
