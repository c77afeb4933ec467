import { BALANCE, NOTE_ROW, PHASE_ROW, SUM_ROW } from './formula-row.words';

const totalOf = (cell: string) => BALANCE.exec(cell)?.groups?.total;

it('knows balance lines, and the totals that they name', () => {
  for (const cell of ['余量', 'q.s.', 'QS', 'Balance', 'bal.', '补足']) {
    expect(BALANCE.test(cell)).toBe(true);
    expect(totalOf(cell)).toBeUndefined();
  }
  for (const cell of [
    'q.s. to 100',
    'ad 100%',
    'qsp 100 %',
    'q.b. a 100',
    '补足至100',
    'up to 100',
    'balance to 100%',
  ]) {
    expect(totalOf(cell)).toBe('100');
  }
  expect([totalOf('ad 500'), totalOf('补足至 500.0 g'), totalOf('to 1 kg')]).toEqual(['500', '500.0', '1']);
  for (const cell of ['适量', 'trace', 'to 1 t', '5', 'q.s. pH 5', ''])
    expect(BALANCE.test(cell)).toBe(false);
});

it.each(['A相', 'A相：水相', 'Phase B', 'Phase B (oils)', 'Part 2', '水相', 'Water phase', 'a 相'])(
  '%s begins a phase',
  (text) => expect(PHASE_ROW.test(text)).toBe(true),
);

it.each([
  'Aqua',
  'Phaseolus Vulgaris Seed Extract',
  'Parfum',
  'Partially Hydrogenated Oil',
  'Oil',
  '水',
  'A',
])('%s begins none', (text) => expect(PHASE_ROW.test(text)).toBe(false));

it('knows rows with a sum and notes', () => {
  for (const text of ['合计', 'Total:', 'Gesamt', 'Subtotal', 'Total phase A', 'A相小计']) {
    expect(SUM_ROW.test(text)).toBe(true);
  }
  for (const text of ['Totarol', 'Sumac', 'Total Phase']) expect(SUM_ROW.test(text)).toBe(false);
  for (const text of ['备注：x', 'Note: x', '制表:李', 'Bemerkungen: x'])
    expect(NOTE_ROW.test(text)).toBe(true);
  for (const text of ['Notelaea', 'Date Extract', '水']) expect(NOTE_ROW.test(text)).toBe(false);
});
