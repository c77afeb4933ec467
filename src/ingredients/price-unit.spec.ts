import Big from 'big.js';
import { kilogramsOf } from './price-unit';

const kilograms = (unit: string): string => {
  const mass = kilogramsOf(unit);
  return mass instanceof Big ? mass.toFixed() : mass.reason;
};

describe('kilogramsOf', () => {
  it.each([
    ['kg', '1'],
    ['KG', '1'],
    [' Kg ', '1'],
    ['公斤', '1'],
    ['千克', '1'],
    ['g', '0.001'],
    ['克', '0.001'],
    ['mg', '0.000001'],
    ['毫克', '0.000001'],
    ['t', '1000'],
    ['吨', '1000'],
    ['lb', '0.45359237'],
    ['25 kg', '25'],
    ['25kg', '25'],
    ['0.5 公斤', '0.5'],
    ['５００ｇ', '0.5'],
    ['㎏', '1'],
    ['kgs', '1'],
    ['kg.', '1'],
    ['Kilogram', '1'],
    ['кг', '1'],
    ['斤', '0.5'],
    ['gram', '0.001'],
    ['tonne', '1000'],
    ['lbs', '0.45359237'],
    ['oz', '0.028349523125'],
    ['€/kg', '1'],
    ['元/公斤', '1'],
    ['USD / 25 kg', '25'],
  ])('%s is %s kg', (unit, expected) => expect(kilograms(unit)).toBe(expected));

  it.each(['l', 'L', 'ml', 'mL', 'ML', '升', '毫升', '5 L', '200毫升'])('%s is a volume', (unit) =>
    expect(kilograms(unit)).toBe('volume'),
  );

  it.each([
    'Mg',
    'MG',
    '5 Mg',
    '500g/瓶',
    '瓶',
    'ton',
    'gr',
    'fl oz',
    '/kg',
    '€/',
    '€ kg',
    '',
    ' ',
    '0 kg',
    '1,000 kg',
    '-1 kg',
    '1e3 kg',
    'kg kg',
    '25',
  ])('%j is unknown', (unit) => expect(kilograms(unit)).toBe('unknown-unit'));
});
