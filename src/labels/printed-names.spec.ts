import { CN, declarationOf, EU, type Material, material, US } from '../../test/support/declarations';

const found = async (
  name: string,
  rules: Parameters<typeof declarationOf>[1],
  more: Partial<Material> = {},
) => {
  const materials = [material('Glycerin', 95), material(name, 5, more)];
  const { problems, isComplete } = await declarationOf(materials, rules);
  return { isComplete, problems: problems.map(({ code, alternatives }) => [code, ...alternatives]) };
};
const complete = { isComplete: true, problems: [] };

describe('names of trade and of every day', () => {
  it.each([
    ['Tween 20', 'Polysorbate 20'],
    ['Carbopol 940', 'Carbomer'],
    ['Vitamin E', 'Tocopherol', 'Tocopheryl Acetate'],
    ['VC', 'Ascorbic Acid'],
    ['Glycerine 99.5%', 'Glycerin'],
    ['Urea 40%', 'Urea'],
    ['Glycerin USP', 'Glycerin'],
    ['Xanthan Gum (food grade)', 'Xanthan Gum'],
    ['Zinc Oxide (non-nano)', 'Zinc Oxide'],
    ['Non-nano Zinc Oxide', 'Zinc Oxide'],
    ['Carbomer dispersion', 'Carbomer'],
    ['Tween 85'],
    ['Preservative'],
    ['Matrixyl® 3000'],
  ])('%s: the list is incomplete, and the INCI name stands beside it', async (name, ...inciNames) => {
    for (const rules of [EU, US]) {
      expect(await found(name, rules)).toEqual({
        isComplete: false,
        problems: [['trade-name', ...inciNames]],
      });
    }
    expect(await found('Tween 20', CN, { chineseName: '聚山梨醇酯-20' })).toEqual(complete);
  });

  it.each([
    ['PEG-400', 'PEG-8'],
    ['PEG-1500', 'PEG-32'],
  ])('%s may have the number of a supplier, and the list stays complete', async (name, inciName) => {
    for (const rules of [EU, US]) {
      const problems = [['macrogol-by-mass', inciName]];
      expect(await found(name, rules)).toEqual({ isComplete: true, problems });
    }
    const inChina = await found(name, CN, { chineseName: name.replace('PEG', '聚乙二醇') });
    expect(inChina).toEqual({ isComplete: true, problems: [['macrogol-by-mass']] });
  });

  it.each([
    'Polysorbate 20',
    'BHT',
    'Urea',
    'Glyceryl Stearate SE',
    'Tocopherol',
    'PEG-40 Stearate',
    'PEG-14M',
    'PEG-180',
    'Zinc Oxide (nano)',
    'Water',
  ])('%s is none', async (name) => expect(await found(name, EU)).toEqual(complete));

  it.each([
    ['去离子水', '水'],
    ['丙三醇', '甘油'],
    ['白油', '矿油', '液体石蜡'],
    ['吐温-20', 'Polysorbate 20'],
    ['维生素E', 'Tocopherol', 'Tocopheryl Acetate'],
    ['透明质酸钠(化妆品级)', '透明质酸钠'],
    ['10%氢氧化钠溶液', '氢氧化钠'],
    ['防腐剂'],
  ])('%s is none of the inventory of China, which has another', async (chineseName, ...names) => {
    expect(await found('Polysorbate 20', CN, { chineseName })).toEqual({
      isComplete: false,
      problems: [['trade-name', ...names]],
    });
    expect(await found('Polysorbate 20', EU, { chineseName })).toEqual(complete);
  });

  it.each([
    '水',
    '甘油',
    '液体石蜡',
    '透明质酸',
    '卡波姆',
    '氨甲基丙醇',
    '甘油硬脂酸酯 SE',
    '二氧化钛（纳米）',
    '没有听说过',
  ])('%s is right in China, or nobody knows', async (chineseName) =>
    expect(await found('Polysorbate 20', CN, { chineseName })).toEqual(complete),
  );

  it('alcohol is denatured by its own name in the United States', async () => {
    expect(await found('SD Alcohol 40-B', US)).toEqual(complete);
    expect(await found('SD Alcohol 40-B', EU)).toMatchObject({ isComplete: false });
  });
});

describe('Latin names in the United States', () => {
  it.each([
    ['CERA ALBA', 'Beeswax'],
    ['PARAFFINUM LIQUIDUM', 'Mineral Oil'],
    ['Candelilla Cera', 'Euphorbia Cerifera (Candelilla) Wax'],
    ['Montan Cera'],
    ['Maris Sal'],
    ['Sine Adipe Lac'],
  ])('%s: the list is incomplete', async (name, ...english) => {
    expect(await found(name, US)).toEqual({ isComplete: false, problems: [['latin-name', ...english]] });
    expect(await found(name, EU)).toEqual(complete);
  });

  it.each([
    ['Olea Europaea Fruit Oil', 'Olea Europaea (Olive) Fruit Oil'],
    ['BUTYROSPERMUM PARKII BUTTER', 'Butyrospermum Parkii (Shea) Butter'],
    ['Limnanthes Alba Seed Oil'],
  ])('%s: a warning', async (name, ...english) => {
    expect(await found(name, US)).toEqual({ isComplete: true, problems: [['latin-plant-name', ...english]] });
  });

  it.each([
    'Beeswax',
    'Mineral Oil',
    'Olea Europaea (Olive) Fruit Oil',
    'Hydrogenated Jojoba Oil',
    'PEG-40 Hydrogenated Castor Oil',
    'Lactic Acid',
    'Camellia Sinensis Leaf Extract',
  ])('%s is right', async (name) => expect(await found(name, US)).toEqual(complete));
});

describe('drugs of the United States', () => {
  const warned = { isComplete: true, problems: [['over-the-counter-drug']] };

  it.each([
    ['Sodium Fluoride', 'toothpaste', 'other'],
    ['Sodium Monofluorophosphate', 'leave-on', 'other'],
    ['Homosalate', 'sunscreen-face', 'other'],
    ['Drometrizole Trisiloxane', 'leave-on', 'sunscreen'],
    ['Zinc Oxide', 'sunscreen-body', 'other'],
    ['Titanium Dioxide', 'leave-on', 'sunscreen'],
    ['Zinc Pyrithione', 'anti-dandruff-shampoo', 'preservative'],
    ['Salicylic Acid', 'anti-dandruff-shampoo', 'other'],
    ['Aluminum Chlorohydrate', 'deodorant', 'other'],
  ] as const)('%s in %s may be one', async (name, productType, category) => {
    expect(await found(name, { region: 'us', productType }, { category })).toEqual(warned);
    expect((await found(name, { region: 'eu', productType }, { category })).problems).toEqual([]);
  });

  it.each([
    ['Titanium Dioxide', 'lip', 'sunscreen'],
    ['Zinc Oxide', 'leave-on', 'other'],
    ['Salicylic Acid', 'face-leave-on', 'preservative'],
    ['Aluminum Hydroxide', 'leave-on', 'other'],
  ] as const)('%s in %s is none', async (name, productType, category) => {
    expect(await found(name, { region: 'us', productType }, { category })).toEqual(complete);
  });
});
