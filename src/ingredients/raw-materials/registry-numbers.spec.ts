import fc from 'fast-check';
import { render } from '../../platform/texts/text';
import { casFault, ecFault, plainNumber } from './registry-numbers';

const said = (fault: ReturnType<typeof casFault>) => fault && render(fault);

it.each(['56-81-5', '7732-18-5', '122-99-6', '70445-33-9', '13463-67-7', '50-00-0'])(
  '%s is a CAS number',
  (number) => expect(casFault(number)).toBeUndefined(),
);

it.each(['200-289-5', '231-791-2', '204-589-7', '236-675-5'])('%s is an EC number', (number) =>
  expect(ecFault(number)).toBeUndefined(),
);

it('a wrong check digit is named with the right one', () => {
  expect(said(casFault('56-81-4'))).toBe('56-81-4 的校验位有误,应为5');
  expect(said(ecFault('200-289-4'))).toBe('200-289-4 的校验位有误,应为5');
});

it.each(['', '56815', '56-81-5 ', '1-81-5', '12345678-81-5', 'CAS 56-81-5', '５６-81-5'])(
  '%s is no CAS number',
  (number) => expect(said(casFault(number))).toMatch(/^不是有效的 CAS 号/),
);

it.each(['', '2002895', '200-289-55', '20-289-5'])('%s is no EC number', (number) =>
  expect(said(ecFault(number))).toMatch(/^不是有效的 EC 号/),
);

it('one wrong digit is always found', () => {
  const digits = fc.tuple(fc.integer({ min: 10, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }));
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 9 }), ([first, second], off) => {
      const head = `${first}-${String(second).padStart(2, '0')}`;
      const right = Array.from({ length: 10 }, (_, digit) => digit).filter(
        (digit) => !casFault(`${head}-${digit}`),
      );
      expect(right).toHaveLength(1);
      expect(casFault(`${head}-${(right[0]! + off) % 10}`)).toBeDefined();
    }),
  );
});

describe('plainNumber', () => {
  it.each([
    ['56-81-5', '56-81-5'],
    ['５６－８１－５', '56-81-5'],
    ['56–81–5', '56-81-5'],
    ['000056-81-5', '56-81-5'],
    ['56 81 5', '56-81-5'],
    ['56 - 81 - 5', '56-81-5'],
    ['56-81-5*', '56-81-5'],
    [' 56-81-5: ', '56-81-5'],
    ['0056-81-5; 57-55-6', '56-81-5; 57-55-6'],
    ['200 289 5', '200-289-5'],
    ['200–289–5.', '200-289-5'],
    ['1975-09-02', '1975-09-02'],
    ['56-81-55', '56-81-55'],
    ['CAS', 'CAS'],
  ])('of %j is %s', (written, plain) => expect(plainNumber(written)).toBe(plain));
});
