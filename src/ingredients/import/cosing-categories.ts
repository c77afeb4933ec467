import { type FunctionCategory } from '../function-category';

/**
 * From the functions of the European Commission's CosIng inventory to the twelve categories of this service.
 *
 * CosIng lists the functions of an ingredient alphabetically: their order says nothing about which one
 * matters. So a fixed priority decides. It runs from what is regulated (UV filters, colorants, preservatives)
 * over what an ingredient is bought for to side effects that nearly everything has (masking, solvent, skin
 * conditioning). Where a rule would call a well-known ingredient something no formulator does,
 * `CATEGORY_BY_INCI_NAME` says otherwise.
 */
export interface CosingRule {
  category: FunctionCategory;
  /** The rule applies when the ingredient has one of these functions … */
  any: readonly string[];
  /** … and, where given, also one of these. */
  with?: readonly string[];
}

/**
 * Functions are compared in lower case, with British spelling (see `normaliseFunction`). First rule that
 * applies wins.
 */
export const COSING_RULES: readonly CosingRule[] = [
  { category: 'sunscreen', any: ['uv filter'] },
  { category: 'colorant', any: ['colorant', 'cosmetic colorant', 'hair dyeing'] },
  { category: 'preservative', any: ['preservative'] },
  // Perming and depilatory agents are reducing agents: "antioxidant" is a side effect there.
  { category: 'other', any: ['hair waving or straightening', 'depilatory'] },
  { category: 'antioxidant', any: ['antioxidant'] },
  { category: 'ph_adjuster', any: ['buffering', 'ph adjusters'] },
  // What foams is a cleansing surfactant, also when it emulsifies.
  {
    category: 'surfactant',
    any: ['foaming', 'foam boosting', 'hydrotrope', 'surfactant - foam boosting', 'surfactant - hydrotrope'],
  },
  // Film formers and binders that also control viscosity are gums, cellulose ethers and rheology polymers.
  { category: 'thickener', any: ['gel forming'] },
  {
    category: 'thickener',
    any: ['viscosity controlling'],
    with: ['binding', 'film forming', 'emulsion stabilising'],
  },
  { category: 'emulsifier', any: ['surfactant - emulsifying', 'emulsifying'] },
  { category: 'humectant', any: ['humectant', 'skin conditioning - humectant'] },
  {
    category: 'emollient',
    any: ['skin conditioning - emollient', 'skin conditioning - occlusive', 'emollient', 'refatting'],
  },
  { category: 'humectant', any: ['moisturising'] },
  {
    category: 'surfactant',
    any: ['surfactant - cleansing', 'surfactant - dispersing', 'surfactant - solubilizing', 'surfactant'],
  },
  { category: 'fragrance', any: ['perfuming', 'fragrance', 'flavouring', 'masking'] },
  // Solvents, fillers and complexing agents thin or thicken by the way.
  {
    category: 'other',
    any: ['viscosity controlling', 'emulsion stabilising'],
    with: ['solvent', 'chelating', 'propellant', 'bulking', 'absorbent', 'abrasive', 'anticaking'],
  },
  { category: 'thickener', any: ['viscosity controlling', 'emulsion stabilising'] },
  // Late, because "cleansing" alone is also said of many plant extracts; those have one of the next rule's
  // functions.
  { category: 'other', any: ['tonic', 'soothing', 'refreshing', 'astringent', 'smoothing', 'antimicrobial'] },
  { category: 'surfactant', any: ['cleansing'] },
];

/** Functions that lead to no category of their own; with those of the rules, they are the ones we know. */
const FUNCTIONS_WITHOUT_CATEGORY = [
  'abrasive',
  'absorbent',
  'anticaking',
  'anticorrosive',
  'antidandruff',
  'antifoaming',
  'antimicrobial',
  'antiperspirant',
  'antiplaque',
  'anti-seborrheic',
  'anti-sebum',
  'antistatic',
  'artificial nail builder',
  'astringent',
  'binding',
  'bleaching',
  'bulking',
  'chelating',
  'denaturant',
  'deodorant',
  'detangling',
  'epilating',
  'exfoliating',
  'eyelash conditioning',
  'film forming',
  'hair conditioning',
  'hair fixing',
  'keratolytic',
  'light stabilizer',
  'nail conditioning',
  'nail sculpting',
  'not reported',
  'opacifying',
  'oral care',
  'oxidising',
  'pearlescent',
  'plasticiser',
  'propellant',
  'professional use',
  'reducing',
  'refreshing',
  'skin conditioning',
  'skin conditioning - miscellaneous',
  'skin protecting',
  'slip modifier',
  'smoothing',
  'solvent',
  'soothing',
  'surface modifier',
  'tanning',
  'tonic',
  'uv absorber',
];

const KNOWN_FUNCTIONS = new Set([
  ...COSING_RULES.flatMap((rule) => [...rule.any, ...(rule.with ?? [])]),
  ...FUNCTIONS_WITHOUT_CATEGORY,
]);

/**
 * Well-known ingredients that the rules would put where no formulator looks for them, and some that are too
 * important to depend on what one edition of the inventory lists (water, the alkalis, the mineral UV
 * filters).
 */
const OVERRIDES: Record<FunctionCategory, readonly string[]> = {
  humectant: [
    'Propanediol',
    'Pentylene Glycol',
    '1,2-Hexanediol',
    'Caprylyl Glycol',
    'Dipropylene Glycol',
    'Panthenol',
    'Urea',
    'Sodium Lactate',
    'Glycine',
    'Serine',
    'Alanine',
    'Proline',
    'Ectoin',
    'Hydrolyzed Sodium Hyaluronate',
    'Potassium Hyaluronate',
  ],
  emollient: [
    'Cetyl Alcohol',
    'Stearyl Alcohol',
    'Cetearyl Alcohol',
    'Behenyl Alcohol',
    'Myristyl Alcohol',
    'Lauryl Alcohol',
    'Arachidyl Alcohol',
    'Lanolin',
    'Lanolin Alcohol',
    'Cholesterol',
    'Caprylic/Capric Triglyceride',
    'Triethylhexanoin',
    'Triisostearin',
    'Caprylyl Methicone',
    'Phenyl Trimethicone',
    'Pentaerythrityl Tetraisostearate',
    'Mineral Oil',
    'Hydrogenated Castor Oil',
    'Hydrogenated Shea Butter',
    'Ceramide NP',
    'Ceramide AP',
    'Ceramide EOP',
  ],
  emulsifier: [
    'PEG-100 Stearate',
    'Oleth-20',
    'Cetearyl Olivate',
    'PEG-10 Dimethicone',
    'Polyglyceryl-2 Dipolyhydroxystearate',
    'Lauryl PEG-9 Polydimethylsiloxyethyl Dimethicone',
  ],
  surfactant: [
    'Cetrimonium Chloride',
    'Cetrimonium Bromide',
    'Steartrimonium Chloride',
    'Steartrimonium Bromide',
    'Behentrimonium Chloride',
    'Ceteartrimonium Chloride',
    'Distearyldimonium Chloride',
    'Palmitamidopropyltrimonium Chloride',
    'Stearamidopropyl Dimethylamine',
    'Behenamidopropyl Dimethylamine',
    'Sodium Lauroyl Methyl Isethionate',
    'Lauric Acid',
    'Myristic Acid',
  ],
  thickener: [
    'Cera Alba',
    'Candelilla Cera',
    'Euphorbia Cerifera Cera',
    'Euphorbia Cerifera (Candelilla) Wax',
    'Copernicia Cerifera Cera',
    'Copernicia Cerifera (Carnauba) Wax',
    'Paraffin',
    'Dextrin Palmitate',
    'PEG-150 Distearate',
    'PEG-120 Methyl Glucose Dioleate',
    'PEG-120 Methyl Glucose Trioleate',
    'Sodium Chloride',
    'Hectorite',
    'Magnesium Aluminum Silicate',
    'Lithium Magnesium Sodium Silicate',
    'Polyacrylamide',
    'Carrageenan',
  ],
  antioxidant: ['Sodium Metabisulfite', 'Sodium Sulfite', 'Sodium Bisulfite', '3-O-Ethyl Ascorbic Acid'],
  preservative: [
    'p-Anisic Acid',
    'Sodium Anisate',
    'Ethylhexylglycerin',
    'Hydroxyacetophenone',
    'Caprylhydroxamic Acid',
  ],
  ph_adjuster: ['Arginine', 'Sodium Hydroxide', 'Potassium Hydroxide'],
  fragrance: ['Parfum', 'Fragrance'],
  colorant: [
    'Iron Oxides',
    'Carmine',
    'Chromium Oxide Greens',
    'Chromium Hydroxide Green',
    'Bismuth Oxychloride',
    'Manganese Violet',
    'Carbon Black',
    'Beta-Carotene',
  ],
  sunscreen: ['Titanium Dioxide', 'Zinc Oxide'],
  other: [
    'Water',
    'Aqua',
    'Alcohol',
    'Alcohol Denat.',
    'Isopropyl Alcohol',
    'Kaolin',
    'Zinc Stearate',
    'Magnesium Stearate',
    'Aluminum Stearate',
    'Calcium Carbonate',
    'Calcium Phosphate',
    'Magnesium Carbonate',
    'Glycol Distearate',
    'Glycol Stearate',
    'Hydrolyzed Collagen',
    'Hydrolyzed Silk',
    'Hydrolyzed Keratin',
    'Arbutin',
    'Alpha-Arbutin',
    'Kojic Acid',
    'Azelaic Acid',
    'Glycolic Acid',
    'Salicylic Acid',
    'Bisabolol',
    'Caffeine',
    'Dipotassium Glycyrrhizate',
    'Zinc Pyrithione',
    'Piroctone Olamine',
    'Climbazole',
    'PVP',
    'Polyvinyl Alcohol',
    'Trimethylsiloxysilicate',
    'Shellac',
    'Resorcinol',
    'Thymol',
    'Dihydroxyacetone',
    'Guar Hydroxypropyltrimonium Chloride',
  ],
};

const CATEGORY_BY_INCI_NAME: ReadonlyMap<string, FunctionCategory> = new Map(
  Object.entries(OVERRIDES).flatMap(([category, names]) =>
    names.map((name): [string, FunctionCategory] => [nameKey(name), category as FunctionCategory]),
  ),
);

/**
 * Colour Index names ("CI 77891", also with a lake suffix "CI 15850:1") are colorants whatever else is
 * listed.
 */
const COLOUR_INDEX_NAME = /^CI\s?\d{5}(:\d)?$/i;

export interface CosingCategory {
  category: FunctionCategory;
  /** Names of functions that CosIng does not have: likely typing errors, reported but not fatal. */
  unknownFunctions: string[];
}

/**
 * The category of an ingredient with these CosIng functions, `other` when nothing more precise is known.
 * @param inciName    in any case
 * @param functions   the inventory's text, separated by commas or semicolons, in any order and case; may be
 *   empty
 */
export function categoryFromCosing(inciName: string, functions: string): CosingCategory {
  const names = functions
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const present = new Set(names.map(normaliseFunction));
  const unknownFunctions = names.filter((name) => !KNOWN_FUNCTIONS.has(normaliseFunction(name)));

  const name = nameKey(inciName);
  if (COLOUR_INDEX_NAME.test(name)) return { category: 'colorant', unknownFunctions };
  const override = CATEGORY_BY_INCI_NAME.get(name);
  if (override) return { category: override, unknownFunctions };

  const has = (list: readonly string[]) => list.some((entry) => present.has(entry));
  const rule = COSING_RULES.find(({ any, with: also }) => has(any) && (also === undefined || has(also)));
  return { category: rule?.category ?? 'other', unknownFunctions };
}

function nameKey(inciName: string): string {
  return inciName.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * "Emulsion Stabilizing" and "EMULSION STABILISING", "surfactant-cleansing" and "Surfactant – Cleansing" are
 * the same.
 */
function normaliseFunction(name: string): string {
  return name
    .toLowerCase()
    .replace(
      /\s*[-–]\s*(?=(cleansing|emulsifying|foam|hydrotrope|dispersing|solubili|emollient|humectant|occlusive|misc))/,
      ' - ',
    )
    .replace(/(stabil|moistur|oxid)izing/g, '$1ising')
    .replace(/plasticizer/g, 'plasticiser')
    .replace(/solubilising/g, 'solubilizing')
    .replace(/colour/g, 'color')
    .replace(/flavoring/g, 'flavouring')
    .replace(/light stabiliser/g, 'light stabilizer')
    .replace(/\s+/g, ' ')
    .trim();
}
