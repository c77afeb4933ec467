import { plainName } from '../imports/mapping/names';
import { LIKE_PRICE, LIKE_SUPPLIER, LIKE_UNIT, PRICE_COLUMN, unitCalled, unitOfPrices } from './price-column';

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
  ])('%s is understood, per %s', (name, unit) => {
    expect(isPrice(name)).toBe(true);
    expect(unitOfPrices(name)).toBe(unit);
  });

  it.each([
    ...[
      '元/桶',
      '单价(元/桶)',
      'Price per 100g',
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
});
