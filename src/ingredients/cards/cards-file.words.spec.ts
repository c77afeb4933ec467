import { parseColumnChoice } from '../../files/mapping/column-mapping';
import { readImportFile } from '../../files/read-import-file';
import { inEnglish } from '../../../test/support/reasons';
import { CARDS_FILE } from './cards-file.words';

/** The price of the only row of a price list with its unit, or the fault of the row. */
async function priceIn(columns: string, cells: string, ...choices: string[]): Promise<string> {
  const content = Buffer.from(`原料,供应商,${columns}\nGlycerin,S,${cells}\n`);
  const reading = await readImportFile(content, CARDS_FILE, { choices: choices.map(parseColumnChoice) });
  const [fault] = reading.refused.flatMap(({ faults }) => faults);
  if (fault) return `${fault.field}: ${String(inEnglish(fault.reason))}`;
  const { price, currency, unit } = reading.drafts[0]!.supplier!;
  return [price, currency, unit].join(' ');
}

it.each([
  ['单价', '9.9', '9.9  '],
  ['单价(元/kg)', '9.9', '9.9 CNY kg'],
  ['单价,计量单位', '0.9,g', '0.9  g'],
  ['Price,UOM', '0.9,100 g', '0.9  100 g'],
  ['單價,單位', '0.9,g', '0.9  g'],
  ['单价(元/kg),单位', '9.9,公斤', '9.9 CNY 公斤'],
  ['单价(元/kg),包装规格', '9.9,25kg/桶', '9.9 CNY kg'],
  ['单价,单位,包装规格', '9.9,kg,25kg/桶', '9.9  kg'],
  ['单价,包装规格', '9.9,1 kg', '9.9  '],
])('reads the price in %s of %s as %s', async (columns, cells, expected) => {
  expect(await priceIn(columns, cells)).toBe(expected);
});

it.each([
  ['单价,包装规格', '250,25kg/桶', 'packSize: is "25kg/桶", and "单价" does not say what it is per'],
  ['Price,Pack size (kg)', '250,25', 'packSize: is "25", and "Price" does not say what it is per'],
  ['单价(元/kg),单位', '9.9,g', 'supplier.unit: is "g", and prices are per kg'],
])('refuses the price in %s of %s, which could be per something else', async (columns, cells, expected) => {
  expect(await priceIn(columns, cells)).toContain(expected);
});

it('takes what a choice says of packs', async () => {
  expect(await priceIn('单价,包装规格', '250,25kg', '包装规格=')).toBe('250  ');
  expect(await priceIn('单价,包装规格', '250,25kg', '包装规格=supplier.unit')).toBe('250  25kg');
});

it.each(['单价(万元/吨)', 'Price ct/kg'])(
  'refuses prices in %s, although a choice names them',
  async (column) => {
    expect(await priceIn(column, '120', `${column}=supplier.price`)).toContain('in hundredths or thousands');
  },
);

it('asks for the field of a column that could be the unit', async () => {
  await expect(priceIn('单价,结算单位', '0.9,g')).rejects.toThrow();
});
