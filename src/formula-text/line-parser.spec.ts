import type { Entry } from './entry-parser';
import { parseLine } from './line-parser';
import { textLines } from './text-lines';

const inWords = ({ inciName, chineseName, quantity, note, phase }: Entry): string => {
  const amount =
    quantity.kind === 'number'
      ? `${quantity.low.value}${quantity.high.value === quantity.low.value ? '' : `-${quantity.high.value}`}${quantity.unit ?? ''}`
      : quantity.kind;
  return [phase, inciName, chineseName, amount, note && `(${note})`].filter(Boolean).join(' | ');
};
const parse = (line: string) => {
  const { text, raw } = textLines(line)[0]!;
  return parseLine(text, raw, 300);
};
/** Each piece of a line in each of its readings, and what is doubtful. */
const read = (line: string) => {
  const { pieces, doubt } = parse(line);
  const readings = pieces.map((ways) => ways.map((entries) => entries.map(inWords).join(' + ')).join(' OR '));
  return [...readings, ...(doubt === 'none' ? [] : [doubt])];
};

describe('parseLine', () => {
  it.each([
    // Numbers that belong to names.
    ['Montanov 68 (3%)', ['Montanov 68 | 3%']],
    ['Polysorbate 80 (1.5%)', ['Polysorbate 80 | 1.5%']],
    ['酸性红 33（0.1%）', ['酸性红 33 | 0.1%']],
    ['透明质酸钠 5万(0.1%)', ['透明质酸钠 5万 | 0.1%']],
    ['Lipocol 20 - 2%', ['Lipocol 20 | 2%']],
    ['DC 2-1184 Fluid (5%)', ['DC 2-1184 Fluid | 5%']],
    ['FD&C Yellow #5 Al Lake 0.5%', ['FD&C Yellow #5 Al Lake | 0.5%']],
    ['酸性红 33 铝色淀 0.1%', ['酸性红 33 铝色淀 | 0.1%']],
    ['0.1% 酸性红 33', ['酸性红 33 | 0.1%']],
    ['5% Cire n°2', ['Cire n°2 | 5%']],
    ['Disperse Black 9 1.5', ['Disperse Black 9 | 1.5']],
    ['D5 50%', ['D5 | 50%']],
    ['A6 5', ['A6 | 5']],
    // Strengths.
    ['SLES 28% (20%)', ['SLES 28% | 20%']],
    ['NaOH 10% solution 0.5', ['NaOH 10% solution | 0.5']],
    ['Hydrogen Peroxide 35% 17.1', ['Hydrogen Peroxide 35% | 17.1']],
    ['Alcohol 95% vol. 20%', ['Alcohol | 20% | (95% vol.)']],
    // Two amounts of one ingredient.
    ['77% | 192.5g Distilled Water', ['Distilled Water | 77%']],
    ['77g | 77% Water', ['Water | 77%']],
    ['Water 77% (192.5g)', ['Water | 77%']],
    ['0,4g (15 gouttes) Extrait', ['Extrait | 0.4g']],
    ['0.3 grams or 1/8 tsp. citric acid', ['citric acid | 0.3g']],
    // Several in one line.
    ['水88%甘油5%', ['水 | 88% + 甘油 | 5%']],
    ['80% Aqua with 20% Glycerin', ['Aqua | 80%', 'Glycerin | 20%']],
    ['水80%●甘油15%', ['水 | 80%', '甘油 | 15%']],
    ['Zinc Oxide 20%. Other ingredients: Aqua 80%', ['Zinc Oxide | 20%', 'Aqua | 80%']],
    ['苯氧乙醇、乙基己基甘油 各1.5%', ['苯氧乙醇 | 1.5% + 乙基己基甘油 | 1.5%']],
    ['Phenoxyethanol, Ethylhexylglycerin 0.9', ['Phenoxyethanol, Ethylhexylglycerin | 0.9']],
    ['Optiphen Plus 1%', ['Optiphen Plus | 1%']],
    // Labels and functions.
    ['防腐剂（苯氧乙醇）0.8%', ['苯氧乙醇 | 0.8% | (防腐剂)']],
    ['Preservative: Phenoxyethanol 0.5%', ['Phenoxyethanol | 0.5% | (Preservative)']],
    ['Thickener – Xanthan Gum 0.3', ['Xanthan Gum | 0.3 | (Thickener)']],
    ['防腐剂 0.7%', ['防腐剂 | 0.7%']],
    ['INCI: Aqua 80%', ['Aqua | 80%']],
    // Notes.
    ['泛醇 1%（45℃以下加入）', ['泛醇 | 1% | (45℃以下加入)']],
    ['Glycerin 5% premix with gum', ['Glycerin | 5% | (premix with gum)']],
    ['甘油 5% // 预混', ['甘油 | 5% | (预混)']],
    ['1,2-己二醇 0.9%,最后加', ['1,2-己二醇 | 0.9% | (最后加)']],
    ['Parfum (contains 0.5% Limonene) 30%', ['Parfum | 30% | (contains 0.5% Limonene)']],
    ['三乙醇胺 调pH至6.5', ['三乙醇胺 | as-needed | (调pH至6.5)']],
    ['Glycerin (56-81-5) 5%', ['Glycerin | 5%']],
    ['Glycerin 5% ¥25/kg', ['Glycerin | 5% | (¥25/kg)']],
    // Names.
    ['Poly(C6-14 Olefin) 1%', ['Poly(C6-14 Olefin) | 1%']],
    ['乙酰化（氢化蓖麻油） 1%', ['乙酰化（氢化蓖麻油） | 1%']],
    ['Aloe† 20%', ['Aloe | 20%']],
    ['甘油 5%,A相', ['A | 甘油 | 5%']],
  ])('reads %j', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it.each([
    ['Octyl 10 phosphate 2', ['Octyl 10 phosphate | 2 OR Octyl | 10 + phosphate | 2']],
    ['Niacinamide PC 99 [4%]', ['Niacinamide PC 99 | 4% OR Niacinamide PC | 99 | (4%)']],
    ['水 80 70', ['水 80 | 70 OR 水 | 80']],
    ['5% Wax 2', ['Wax 2 | 5% OR 5% Wax | 2']],
    ['Glycerin 5% (99.5%)', ['Glycerin 5% | 99.5% OR Glycerin | 5% | (99.5%)']],
  ])('has two readings of %j', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it.each([
    ...[
      '水 950 ml',
      '5 gouttes HE Lavande',
      '1 Teil',
      'Glycerin 5.5.5',
      'Glycerin ??%',
      '水 80·5%',
      'Wax x 5 10 15',
    ],
    ...[
      '水 80% 甘油',
      'Gel 30% contains 5% carbomer',
      'Glycerin (2 – 10)%',
      'Polysorbate 20',
      'Aqua 100% 5 g 6 g',
    ],
  ])('tells that it does not understand all of %j', (line) => {
    expect(read(line)).toEqual(['numbered']);
  });

  it.each([
    'pH 5.5',
    '合计 100',
    'Viscosity 4500 cps',
    '干燥失重 2%',
    '98% natural origin',
    'Active matter 27%',
    '加热至85℃',
  ])('knows that %j is no ingredient', (line) => expect(read(line)).toEqual([]));

  it('reads what it understands of a line, and tells of the rest', () => {
    expect(read('水 80%;甘油 ??')).toEqual(['水 | 80%', 'numbered']);
    expect(read('水 80%;甘油')).toEqual(['水 | 80%', 'open']);
    expect(read('水 80。5%')).toEqual(['numbered']);
  });
});
