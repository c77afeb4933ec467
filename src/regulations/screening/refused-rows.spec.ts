import { expansionOf, inShort, limit, material } from '../../../test/support/screenings';
import { screen } from './screen';

const refusal = (name: string | null, casNumbers: string[] = []) => ({
  ...{ column: null, value: null },
  ...{ row: 37, region: 'cn', name, casNumbers },
  reason: 'no-name-and-no-cas' as const,
});
const results = async (name: string, row: ReturnType<typeof refusal>, limits = [limit()]) =>
  (
    await screen(await expansionOf([material(name, 1)]), limits, { productType: 'soap', on: '2026-12-01' }, [
      row,
    ])
  ).findings.map(inShort);

it.each([
  ['Hydrogen Peroxide', 'Hydrogen peroxide and releasers (过氧化氢)'],
  ['Carbamide Peroxide', 'Hydrogen peroxide and other compounds that release hydrogen peroxide'],
  ['Lactic Acid', 'Alpha-hydroxy acids, salts and esters'],
  ['Sodium Citrate', 'Alpha-hydroxy acids, salts and esters'],
  ['Zinc Chloride', 'Water-soluble zinc salts, with exceptions'],
  ['Quinine Sulfate', 'Quinine and salts (奎宁及其盐类)'],
  ['Tetrasodium Etidronate', 'Etidronic acid and salts'],
  ['Sodium Oxalate', 'Oxalic acid, esters and alkali salts'],
  ['Sodium Metabisulfite', 'Inorganic sulfites and bisulfites'],
  ['Examplin', '中文名'],
  ['Examplin', 'Substances A and examplin, with others'],
])('%s cannot be judged beside a refused row %s', async (name, row) =>
  expect(await results(name, refusal(row))).toEqual([`cannot-be-judged (refused-row) ${name} 1`]),
);

it.each([
  ['Aqua', 'Water-soluble zinc salts'],
  ['Propylene Glycol', 'Alpha-hydroxy acids, salts and esters'],
  ['Stearic Acid', 'Oxalic acid, esters and alkali salts'],
  ['Hydrogenated Castor Oil', 'Hydrogen peroxide and releasers'],
  ['Sulfate', 'Quinine and its sulfate'],
  ['Glycerin', null],
])('%s has nothing to do with a refused row %s', async (name, row) =>
  expect(await results(name, refusal(row))).toEqual([`no-entry-matched ${name} 1`]),
);

it.each([
  ['水', 'no-entry-matched Examplin 1'],
  ['甘油', 'cannot-be-judged (refused-row) Examplin 1'],
])(
  'a Chinese name of two characters is found in a refused row, but none of one: %s',
  async (chineseName, finding) => {
    const expansion = await expansionOf([material('Examplin', 1)]);
    Object.assign(expansion.substances[0]!.contributions[0]!.line.ingredient, { chineseName });
    const conditions = { productType: 'soap', on: '2026-12-01' } as const;
    const { findings } = await screen(expansion, [limit()], conditions, [refusal('水溶性甘油酯')]);
    expect(findings.map(inShort)).toEqual([finding]);
  },
);

it('a substance with a row of its own is found by its name or number only', async () => {
  const limits = [limit({ inciNames: ['ZINC OXIDE'], limitPercent: '25' })];
  const judged = 'not-above-limit III/1 Zinc Oxide 1';
  expect(await results('Zinc Oxide', refusal('Water-soluble zinc salts'), limits)).toEqual([judged]);
  expect(await results('Zinc Oxide', refusal('Zinc oxide'), limits)).toEqual([
    'cannot-be-judged (refused-row) Zinc Oxide 1',
    judged,
  ]);
});
