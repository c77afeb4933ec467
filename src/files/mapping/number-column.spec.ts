import { inEnglish } from '../../../test/support/reasons';
import { renderMessage } from '../../platform/texts/define-texts';
import { currenciesOf, numberColumn } from './number-column';

const price = { isPrice: true, name: 'price' };

/** What each cell of a column is read as; a fault begins with "!". */
async function column(cells: string[], options: Partial<Parameters<typeof numberColumn>[1]> = {}) {
  const read = await numberColumn(cells, { ...price, ...options });
  return cells.map((cell) => {
    const found = read(cell);
    return 'text' in found ? found.text : `!${renderMessage(found.fault, 'en')}`;
  });
}

describe('numberColumn', () => {
  it('reads a decimal comma before a unit', async () => {
    const cells = ['2,5 mL', '1,25升', '0,5 L', '3,5 g', '1,5 %', '1,5 pt'];
    expect(await column(cells, { isPrice: false })).toEqual([
      ...['2.5mL', '1.25升', '0.5L', '3.5g', '1.5%', '1,5 pt'],
    ]);
  });

  it.each<[string[], string[]]>([
    [
      ['12.5', '180'],
      ['12.5', '180'],
    ],
    [
      ['1.250', '0.500'],
      ['1.250', '0.500'],
    ],
    [
      ['￥1,250', '1.250'],
      ['1250', '1.250'],
    ],
    [
      ['12.5元/kg', '1,250.00 €/100 g'.replace('€', '元'), '5/桶'],
      ['12.5/kg', '1250.00/100 g', '5/桶'],
    ],
    [
      ['12,50', '180', '1.250'],
      ['12.50', '180', '1250'],
    ],
    [
      ['1.250,00', '1.250'],
      ['1250.00', '1250'],
    ],
    [
      ['1,250.00', '1,250'],
      ['1250.00', '1250'],
    ],
    [
      ['1,250', '12.50'],
      ['1250', '12.50'],
    ],
    [['0,125'], ['0.125']],
    [
      ['1 250,5', "1'250", '1\u202f250\u00a0000'],
      ['1250.5', '1250', '1250000'],
    ],
    [
      ['１２．５', '－3', '\u22123.5', '\u20133', '12\u200b.5'],
      ['12.5', '-3', '-3.5', '-3', '12.5'],
    ],
    [
      ['5e2', '+3', '.5', '7.'],
      ['5e2', '+3', '.5', '7.'],
    ],
    [
      ['￥180.00', '¥ 1,250.00', '5元', '6 RMB', '7'],
      ['180.00', '1250.00', '5', '6', '7'],
    ],
    [
      ['12.-', '12,-- CHF', '12.–/kg'],
      ['12', '12', '12/kg'],
    ],
    [
      ['€ 12,50', '9,5 EUR'],
      ['12.50', '9.5'],
    ],
  ])('reads %j as %j', async (cells, texts) => expect(await column(cells)).toEqual(texts));

  it('leaves to others what is no number', async () => {
    const cells = ['', '12²', '1,2,3', '1.2.3', '12 kg', '½', '1 25', 'abc', '¥', '-', ',', '12,5x'];
    expect(await column(cells)).toEqual(cells);
  });

  it('refuses what the column leaves open', async () => {
    expect(await column(['1,250', '180'])).toEqual([
      '!"1,250" could be 1250 or 1.250, and no other cell of the column tells which',
      '180',
    ]);
    expect((await column(['1.250'], { separator: ';' }))[0]).toMatch(/^!"1\.250" could be 1\.250 or 1250/);
    expect((await column(['1.250']))[0]).toMatch(/^!/);
    expect(await column(['1.250'], { separator: ',' })).toEqual(['1.250']);
    expect(await column(['1.250'], { separator: ';', isPrice: false })).toEqual(['1.250']);
  });

  it('leaves a unit behind a number where it is', async () => {
    expect(
      await column(['5,5 %', '０.25'.replace('.', '，'), '2,5 g', '7%', 'x %'], { isPrice: false }),
    ).toEqual([...['5.5%', '0.25', '2.5g', '7%', 'x %']]);
  });

  it('has no thousands but in prices', async () => {
    const slip = '!"1.250" has another decimal mark than the other cells of its column';
    expect(await column(['1,5', '1.250'], { isPrice: false })).toEqual(['1.5', slip]);
    expect((await column(['50.5', '1,250'], { isPrice: false }))[1]).toMatch(/^!"1,250"/);
    expect(await column(['1,5', '1.250'])).toEqual(['1.5', '1250']);
  });

  it('takes only what is certain of a column with commas and points', async () => {
    const mixed = (cell: string) =>
      `!"${cell}" could have a decimal comma: the column has numbers with comma and with point`;
    expect(await column(['12,50', '12.50', '1.250', '7'])).toEqual([
      mixed('12,50'),
      '12.50',
      mixed('1.250'),
      '7',
    ]);
  });

  it('takes one currency, and none but in prices', async () => {
    expect(await column(['¥12', '$5', '7'])).toEqual([
      '!"¥12" is in CNY, and the column has CNY and USD',
      '!"$5" is in USD, and the column has CNY and USD',
      '7',
    ]);
    expect((await column(['$5', '7'], { name: '单价(元/kg)' }))[0]).toMatch(/^!.*CNY and USD$/);
    expect(await column(['$5'], { name: 'Price (USD/kg)' })).toEqual(['5']);
    expect(await column(['¥1,250'], { name: '単価(円/kg)' })).toEqual(['1250']);
    expect((await column(['¥5', '6元'], { name: '単価(円/kg)' }))[0]).toMatch(/^!.*JPY and CNY$/);
    expect(await column(['$5'], { isPrice: false })).toEqual(['$5']);
    expect((await column(['HK$5', 'US$5']))[0]).toMatch(/HKD and USD/);
  });

  it.each([
    ['美元', 'USD'],
    ['欧元', 'EUR'],
    ['日元', 'JPY'],
    ['港元', 'HKD'],
    ['韩元', 'KRW'],
    ['HK$', 'HKD'],
    ['NT$', 'TWD'],
    ['$', 'USD'],
    ['元', 'CNY'],
  ])('takes %s for %s, before and behind a number and in the name of the column', async (sign, currency) => {
    for (const [cell, name] of [
      [`${sign}5`, 'price'],
      [`5 ${sign}`, 'price'],
      [`5${sign}/kg`, 'price'],
      ['5', `单价(${sign}/kg)`],
    ] as const) {
      expect([...(await currenciesOf([cell], { name }))]).toEqual([currency]);
      expect((await column([cell], { name }))[0]).toMatch(/^5/);
    }
  });

  it('takes signs that numbers of a spreadsheet are shown with for currencies, and leaves the numbers alone', async () => {
    const mixed = await numberColumn(['1,250'], { ...price, signs: ['€', 'US$', '€'] });
    expect(inEnglish(mixed('9.5', '€'))).toEqual({
      fault: '"9.5" is in EUR, and the column has EUR and USD',
    });
    expect(mixed('9.5', '')).toEqual({ text: '9.5' });
    expect((await numberColumn([], { ...price, signs: ['€'] }))('1.250', '€')).toEqual({ text: '1.250' });
    expect((await numberColumn([], { ...price, isPrice: false, signs: ['€', '$'] }))('1.250', '$')).toEqual({
      text: '1.250',
    });
  });
});
