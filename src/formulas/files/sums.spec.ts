import Big from 'big.js';
import { comparedSums } from './sums';

const LINES = [
  { line: 2, phase: 'A', amount: '90' },
  { line: 3, phase: null, amount: '4.5' },
  { line: 5, phase: 'B', amount: '5.5' },
];
const compared = (at: number, sum: string, stated: string, lines = LINES) => {
  const decimals = stated.split('.')[1]?.length ?? 0;
  const quantity = { value: new Big(stated), step: new Big(10).pow(-decimals), scale: 1 };
  const row = { line: at, sum, percentage: quantity };
  const amounts = lines.map(({ amount }) => new Big(amount));
  const [answer] = comparedSums(lines, amounts, 'percent', [row]);
  return answer!.fault ? { fault: answer!.fault.reason } : answer!.note && { note: answer!.note };
};

it.each([
  ['all lines below', 6, 'Total', '100'],
  ['all lines, above them', 1, 'Total', '100'],
  ['the lines above', 4, 'Subtotal', '94.5'],
  ['the phase above', 6, 'Subtotal', '5.5'],
  ['the phase that it names', 6, 'Total A', '94.5'],
  ['lines that it does not name', 4, '', '94.5'],
])('a sum can be that of %s', (_, at, sum, stated) => expect(compared(at, sum, stated)).toBeUndefined());

it.each([
  ['99.8', 'note'],
  ['99.7', 'fault'],
  ['99.5', 'fault'],
  ['500', 'fault'],
])('%s of 100', (stated, code) =>
  expect(JSON.stringify(compared(6, 'Total', stated))).toContain(`"${code}"`),
);

it('is rounded by at most half a percent, and names both numbers', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ line: at + 2, phase: null, amount: '33' }));
  const answer = (stated: string) => JSON.stringify(compared(40, 'Total', stated, many));
  expect(answer('994')).toContain('"note"');
  expect(answer('1000')).toMatch(/"fault".*"stated":"1000","sum":"990"/);
});

it.each([
  [3, '90'],
  [6, '94'],
])('a row without a name is no sum of one line, or of none: row %s', (at, stated) =>
  expect(JSON.stringify(compared(at, '', stated))).toContain('"formula-import.no-ingredient"'),
);

it.each([
  ['38', '"note"'],
  ['37', '"fault"'],
])('half a percent is the most: 1000 beside 29 lines of 33 and one of %s', (last, code) => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    line: at + 2,
    phase: null,
    amount: at < 29 ? '33' : last,
  }));
  expect(JSON.stringify(compared(40, 'Total', '1000', many))).toContain(code);
});
