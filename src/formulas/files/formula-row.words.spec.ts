import { isSum } from '../../formula-text/sums';
import { BALANCE, NOTE_ROW, PHASE_ROW } from './formula-row.words';

const totalOf = (cell: string) => BALANCE.exec(cell)?.groups?.total;

it('knows balance lines, and the totals that they name', () => {
  for (const cell of [
    '余量',
    'q.s.',
    'QS',
    'Balance',
    'bal.',
    '补足',
    'remainder',
    '残余',
    '100 - rest',
    'reste',
    'q.s.p.',
  ]) {
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
    ...'do 100|до 100|à 100|c.s.p. 100|csp 100 %|to make 100|make up to 100|top up to 100|全量を100とする|補足100|bis 100'.split(
      '|',
    ),
  ]) {
    expect(totalOf(cell)).toBe('100');
  }
  expect(totalOf('ad 100,0')).toBe('100,0');
  expect([totalOf('ad 500'), totalOf('补足至 500.0 g'), totalOf('to 1 kg')]).toEqual(['500', '500.0', '1']);
  for (const cell of ['适量', 'trace', 'to 1 t', '5', 'q.s. pH 5', '', 'do', '100 - 5', 'make up', 'a'])
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

it('knows notes', () => {
  for (const text of ['备注：x', 'Note: x', '制表:李', 'Bemerkungen: x'])
    expect(NOTE_ROW.test(text)).toBe(true);
  for (const text of ['Notelaea', 'Date Extract', '水']) expect(NOTE_ROW.test(text)).toBe(false);
});

it.each(
  [
    'Total|Total:|TOTAL: 100 %|Total %|Total (g)|Total = 100|Grand Total|Totals|Total général|Batch total|Total weight',
    'Sub Total A|Subtotal 1|Sub total phase B|Total of phase A|Phase A: total|Sum phase A|Water phase total|Total A+B',
    'Zwischensumme Phase A|Wasserphase gesamt|Insgesamt|Prüfsumme|Sous-total|Total phase aqueuse|Somme|Totale|Totaal',
    'Suma fazy A|Razem|Итого|Итого фаза А|Σ A|Check|Checksum|100%|100.00 %|*Total*',
    '合计|合 计|合计：100|总计(g)|小计A|A相合计|A+B合计|水相合计|油相小计|本页小计|配方总量|累计|計|總計|合計',
  ].flatMap((words) => words.split('|')),
)('%s is a sum', (cell) => expect(isSum(cell)).toBe(true));

it.each(
  [
    'Sumac|Sumac Extract|Suma Root Extract|Sumatra Benzoin|Sum-Cide 5|Summer Flower Extract|Totarol',
    'Total White Base X|Total Soluble Extract|Total C Complex|Total 10 Plus Blend|Subtotal White|Totally Organic Oil',
    'Checkerberry Oil|Gesamtextrakt X|Sigma 10|Phase A|水相|总黄酮|人参总皂苷|共轭亚油酸|合欢花提取物|小麦胚芽油|计量粉|10%',
  ].flatMap((words) => words.split('|')),
)('%s is none', (cell) => expect(isSum(cell)).toBe(false));
