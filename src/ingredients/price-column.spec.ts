import { plainName } from '../files/mapping/names';
import {
  baseIn,
  baseOfPrices,
  baseText,
  isOtherMultiple,
  isPackSize,
  LIKE_PRICE,
  LIKE_SUPPLIER,
  LIKE_UNIT,
  perUnit,
  PRICE_COLUMN,
  saysNoPrice,
  unitCalled,
} from './price-column';

const perOf = (name: string) => {
  const base = baseOfPrices(name);
  return base && baseText(base);
};
const isPrice = (name: string) => PRICE_COLUMN.test(plainName(name));

describe('names of price columns', () => {
  it.each([
    ['Preis/kg €', 'kg'],
    ['含税单价(元/kg)', 'kg'],
    ['单价（元/公斤）', 'kg'],
    ['單價（元/公斤）', 'kg'],
    ['Price (USD/kg)', 'kg'],
    ['unit price [EUR per kilogram]', 'kg'],
    ['元/千克', 'kg'],
    ['€/g', 'g'],
    ['Price per g', 'g'],
    ['Price/L', 'L'],
    ['单价（元/毫升）', 'mL'],
    ['Unit price', undefined],
    ['含税价', undefined],
    ['Einkaufspreis', undefined],
    ['Unit cost (CNY)', undefined],
    ['报价', undefined],
    ['单价/元', undefined],
    ['€/100 g', '100 g'],
    ['Price per 100g', '100 g'],
    ['元/1000克', '1000 g'],
    ['単価(円/kg)', 'kg'],
    ['Prix unitaire HT (€/kg)', 'kg'],
    ['Prezzo unitario €/kg', 'kg'],
  ])('%s is understood, per %s', (name, unit) => {
    expect(isPrice(name)).toBe(true);
    expect(perOf(name)).toBe(unit);
  });

  it.each([
    ...[
      '元/桶',
      '单价(元/桶)',
      ...['Price 100 kg', 'Preis 100 g', 'Discount', 'Price (USD/lb)'],
      'Preis je Gebinde',
      '总价',
      '價格日期',
      '价格日期',
      'Price/25kg',
    ],
    ...['Currency', '币种', 'USD', 'Preiseinheit', 'Total cost', '金额', 'Price list no.'],
    ...['Tarif EUR HT', 'Quotation', 'Rate (₹/kg)', 'GBP', 'Цена', 'Стоимость, руб.'],
  ])('%s has to do with prices and is not understood', (name) => {
    expect(isPrice(name)).toBe(false);
    expect(LIKE_PRICE.test(plainName(name))).toBe(true);
  });

  it.each([
    ...['COSING Ref No', 'INN name', 'Ph. Eur. Name', 'CAS No', 'EC No', 'Chem/IUPAC Name / Description'],
    ...[
      'Restriction',
      'Function',
      'Update Date',
      'iecicSerial',
      '评价',
      '元素',
      '备注',
      'inciName',
      '中文名',
    ],
    ...[
      'Zolltarifnummer',
      'Tariff code',
      'Tarifnummer',
      'Use rate',
      'Company code',
      '公司编码',
      'Quotation date',
    ],
  ])('%s has nothing to do with prices, units or suppliers', (name) => {
    for (const like of [LIKE_PRICE, LIKE_UNIT, LIKE_SUPPLIER]) expect(like.test(plainName(name))).toBe(false);
  });

  it.each([
    'Lieferant Nr.',
    '厂家',
    '生产商',
    'Manufacturer',
    '供應商代碼',
    '品牌',
    'Company',
    '公司名称',
    'Поставщик',
  ])('%s looks like a supplier', (name) => expect(LIKE_SUPPLIER.test(plainName(name))).toBe(true));

  it.each(['包装单位', 'Preiseinheit', 'Units', 'UOM code', '計價'])('%s looks like a unit', (name) =>
    expect(LIKE_UNIT.test(plainName(name))).toBe(true),
  );

  it('calls units by one name', () => {
    expect(['KG', '公斤', ' g ', '克', 'ml', '桶'].map(unitCalled)).toEqual([
      'kg',
      'kg',
      'g',
      'g',
      'mL',
      '桶',
    ]);
  });

  it.each([
    ['Betrag/25 kg', '25 kg'],
    ['Price (USD/lb)', 'lb'],
    ['单价(元/桶)', '桶'],
    ['每公斤价格', 'kg'],
    ['Amount per gal', 'gal'],
    ['Price per unit', undefined],
    ['Preis brutto/netto', undefined],
    ['Upper price', undefined],
  ])('%s, once it is mapped, is per %s', (name, per) => expect(perOf(name)).toBe(per));

  it.each([
    [12.5, '/100g', { price: 125, unit: 'kg' }],
    [250, '/25 kg', { price: 10, unit: 'kg' }],
    [9.25, '/250 ml', { price: 37, unit: 'L' }],
    [10, '/454 g', { price: 10, unit: '454 g' }],
    [10, '/30 kg', { price: 10, unit: '30 kg' }],
    [3, '/5 lb', { price: 3, unit: '5 lb' }],
    [3, '/g', { price: 3, unit: 'g' }],
    [3, '/0 g', { price: 3, unit: 'g' }],
  ])('%s %s is %j', (price, per, read) => expect(perUnit(price, baseIn(per)!)).toEqual(read));

  it('tells prices on request and prices that are none from prices', () => {
    for (const text of [
      '询价',
      'P.O.A.',
      'ＰＯＡ',
      'Sur demande',
      'su richiesta',
      'お問い合わせ',
      '要見積',
    ]) {
      expect(saysNoPrice(text)).toBe('on request');
    }
    for (const text of ['-', '—', 'n/a', 'N.A.', '停产', 'k. A.']) expect(saysNoPrice(text)).toBe('none');
    for (const text of [undefined, '', '0', '-5', '120-150']) expect(saysNoPrice(text)).toBeUndefined();
  });

  it('knows sizes of packs', () => {
    expect(
      ['25kg/桶', '100 g', '440 lb drum', '1,5 L', '1kg', '1 L', '99%', 'Drum', undefined].map((cell) =>
        isPackSize(cell),
      ),
    ).toEqual([true, true, true, true, false, false, false, false, false]);
  });

  it('takes the unit of packs from the name of their column', () => {
    expect(isPackSize('25', 'Pack size (kg)')).toBe(true);
    expect(isPackSize('1', 'Pack size (kg)')).toBe(false);
    expect(isPackSize('25', 'Size')).toBe(false);
  });

  it.each([
    ...['单价(万元/吨)', 'Preis (ct/kg)', 'Price (p/100 g)', 'Cents per g'].map(
      (name) => [name, true] as const,
    ),
    ...['单价(元/kg)', 'Price per kg', 'Percent', 'Preis TEUR-frei'].map((name) => [name, false] as const),
  ])('%s counts in hundredths or thousands: %s', (name, is) => expect(isOtherMultiple(name)).toBe(is));

  it.each(['1-24 kg', '25+ kg', 'ab 25 kg', '≥100kg', '25公斤起'])('%s is a price for a quantity', (name) =>
    expect(LIKE_PRICE.test(plainName(name))).toBe(true),
  );
});
