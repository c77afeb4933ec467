/*
 * What a laboratory calls its commonest ingredients beside the names in its catalogue. Data only: a list of
 * synonyms in the catalogue will replace it.
 */

/** Names of one ingredient. */
export const EVERYDAY_NAMES: readonly (readonly string[])[] = [
  [
    '水',
    '去离子水',
    '纯水',
    '纯化水',
    '纯净水',
    '超纯水',
    '蒸馏水',
    'Aqua',
    'Water',
    'Deionized Water',
    'Deionised Water',
    'Demineralized Water',
    'Purified Water',
    'Distilled Water',
    'DI Water',
  ],
  ['甘油', '丙三醇', '植物甘油', 'Glycerin', 'Glycerine', 'Glycerol', 'Vegetable Glycerin'],
  [
    '乙醇',
    '酒精',
    '变性乙醇',
    '变性酒精',
    'Alcohol',
    'Alcohol Denat',
    'Alcohol Denat.',
    'Denatured Alcohol',
    'SD Alcohol',
    'SD Alcohol 40',
    'SD Alcohol 40-B',
    'Ethanol',
    'Ethyl Alcohol',
  ],
  ['香精', '香料', '日用香精', 'Parfum', 'Fragrance', 'Perfume', 'Aroma'],
  ['烟酰胺', '尼克酰胺', '维生素B3', 'Niacinamide', 'Nicotinamide', 'Vitamin B3'],
  ['视黄醇', 'A醇', '维生素A', 'Retinol', 'Vitamin A'],
  ['抗坏血酸', '维生素C', '维C', 'VC', 'Ascorbic Acid', 'L-Ascorbic Acid', 'Vitamin C'],
  ['生育酚', '维生素E', '维E', 'VE', 'Tocopherol', 'Vitamin E'],
  ['水杨酸', 'Salicylic Acid', 'BHA'],
  ['二苯酮-3', '氧苯酮', '羟苯甲酮', 'Benzophenone-3', 'Oxybenzone'],
  [
    '液体石蜡',
    '矿物油',
    '矿油',
    '白油',
    'Paraffinum Liquidum',
    'Mineral Oil',
    'Liquid Paraffin',
    'White Oil',
  ],
  ['凡士林', '矿脂', 'Petrolatum', 'Vaseline'],
  ['透明质酸钠', 'Sodium Hyaluronate'],
];

/** A family of ingredients: what it is called, and the words by which its members' names are known. */
export interface IngredientFamily {
  readonly names: readonly string[];
  readonly words: readonly string[];
}

export const FAMILIES: readonly IngredientFamily[] = [
  {
    names: ['Paraben', 'Parabens', '尼泊金', '尼泊金酯', '尼泊金酯类', '羟苯酯', '对羟基苯甲酸酯'],
    words: ['paraben', '羟苯甲酯', '羟苯乙酯', '羟苯丙酯', '羟苯丁酯', '羟苯异', '尼泊金', '对羟基苯甲酸'],
  },
  {
    names: ['Silicone', 'Silicones', '硅油', '有机硅'],
    words: ['methicone', 'siloxane', 'silicone', '硅氧烷', '硅油'],
  },
  { names: ['PEG', 'PEGs', '聚乙二醇'], words: ['peg', '聚乙二醇'] },
  {
    names: ['Sulfate', 'Sulfates', 'Sulphate', 'Sulphates', '硫酸盐', '硫酸酯盐'],
    words: ['sulfate', 'sulphate', '硫酸酯', '硫酸盐', '硫酸钠', '硫酸铵', '硫酸镁'],
  },
  {
    names: ['Hyaluronic Acid', 'Hyaluronan', 'HA', '透明质酸', '玻尿酸'],
    words: ['hyaluronic', 'hyaluronate', '透明质酸'],
  },
  {
    names: ['AHA', 'AHAs', '果酸'],
    words: [
      'glycolic acid',
      'lactic acid',
      'malic acid',
      'tartaric acid',
      'mandelic acid',
      '羟基乙酸',
      '乙醇酸',
      '乳酸',
      '苹果酸',
      '酒石酸',
      '扁桃酸',
    ],
  },
];
