import { readDecimal } from './decimal';

describe('readDecimal', () => {
  it.each([
    ['0', 0],
    ['-12.5', -12.5],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['2.5e-3', 0.0025],
    ['1e999', Infinity],
  ])('reads %p', (text, number) => expect(readDecimal(text)).toBe(number));

  it.each(['', '.', ' 1', '1 ', '1,000', '0x10', '1e', 'e3', '1e1.5', '--1', '12 kg', 'Infinity', 'NaN'])(
    'takes %p for no number',
    (text) => expect(readDecimal(text)).toBeUndefined(),
  );
});
