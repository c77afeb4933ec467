import type { Composition, CompositionLine } from '../../src/formulas/composition/composition';
import { declare, type DeclarationRules } from '../../src/labels/declaration.service';
import { expand } from '../../src/formulas/composition/expansion';
import type { Substance, SubstanceRole } from '../../src/ingredients/raw-materials/substance';

export type Share = number | readonly [min: number, max: number];
export type Of = readonly [inciName: string, share: Share, role?: SubstanceRole, chineseName?: string];

export interface Material {
  readonly name: string;
  readonly percentage: number;
  readonly category?: string | null;
  readonly of?: readonly Of[];
  readonly chineseName?: string;
  readonly casNumbers?: readonly string[];
}

const substance = ([inciName, share, role = undefined, chineseName = undefined]: Of): Substance => ({
  inciName,
  chineseName: chineseName ?? null,
  casNumber: null,
  ecNumber: null,
  minPercentage: typeof share === 'number' ? share : share[0],
  maxPercentage: typeof share === 'number' ? share : share[1],
  role: role ?? null,
});

const lineOf = ({
  name,
  percentage,
  category = 'other',
  chineseName = '中文名',
  casNumbers = [],
}: Material): CompositionLine => ({
  id: name,
  ingredientId: name,
  ingredient: { id: name, inciName: name, chineseName },
  percentage,
  processNotes: null,
  catalogue:
    category === null
      ? null
      : { functionCategory: category, unit: 'kg', unitPrice: null, casNumbers, card: null },
});

export type Rules = Omit<DeclarationRules, 'lang' | 'fromProfile'>;

export async function declarationOf(materials: readonly Material[], rules: Rules) {
  const composition: Composition = {
    formulaId: 'f',
    formulaName: 'F',
    versionNumber: 1,
    createdAt: '',
    profile: null,
    phases: [{ name: '水相', sortOrder: 1, ingredients: materials.map(lineOf) }],
  };
  const given = new Map(
    materials.flatMap(({ name, of }) => (of ? [[name, of.map(substance)] as const] : [])),
  );
  return declare(composition, await expand(composition, given), { ...rules, lang: 'en', fromProfile: [] });
}

export const EU = { region: 'eu', productType: 'leave-on' } as const;
export const EU_RINSE = { region: 'eu', productType: 'rinse-off' } as const;
export const US = { region: 'us', productType: 'leave-on' } as const;
export const CN = { region: 'cn', productType: 'leave-on' } as const;

export const textOf = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).text;
export const problemsOf = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).problems.map(({ code, inciName }) => `${code}: ${inciName}`);

export const material = (name: string, percentage: number, more: Partial<Material> = {}): Material => ({
  name,
  percentage,
  ...more,
});
