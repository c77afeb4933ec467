import fc from 'fast-check';
import { type Token, tokenize } from './tokenizer';

const amountIn = (token: Token): string => {
  if (token.kind !== 'amount') return '';
  const { quantity } = token;
  if (quantity.kind !== 'number') return `=${quantity.kind}`;
  const { low, high, unit = '' } = quantity;
  const or = low.alternative === undefined ? '' : ` or ${low.alternative}`;
  return `=${low.value}${high.value === low.value ? '' : `..${high.value}`}${or}${unit}`;
};
const inWords = (text: string): string[] =>
  tokenize(text).map((token) => `${token.kind} ${token.text}${amountIn(token)}`);
const only = (text: string): string =>
  inWords(text)
    .map((token) => token.replace(/ .*(?==)/u, ''))
    .join('; ');

describe('tokenize', () => {
  it.each([
    ['5%', '5%'],
    ['５', undefined],
    ['2‰', '0.2%'],
    ['0.5 %o', '0.05%'],
    ['3‱', '0.03%'],
    ['5 ppm', '0.0005%'],
    ['%0.3', '0.3%'],
    ['35 % w/w', '35%'],
    [',3%', '0.3%'],
    ['.25', '0.25'],
    ['2½%', '2.5%'],
    ['2 1/2 %', '2.5%'],
    ['1⁄2 %', '0.5%'],
    ['19 ⅔', '19.666666666666668'],
    ['90〜98%', '90..98%'],
    ['90−98%', '90..98%'],
    ['2 bis 10 %', '2..10%'],
    ['2 à 10 %', '2..10%'],
    ['2..10%', '2..10%'],
    ['1至3', '1..3'],
    ['5±1%', '5%'],
    ['约5', '5'],
    ['max. 2 %', '2%'],
    ['3%左右', '3%'],
    ["1'250 g", '1250g'],
    ['1.250,00 g', '1250g'],
    ['1,250.50 g', '1250.5g'],
    ['1,250 g', '1250 or 1.25g'],
    ['1.250 g', '1250 or 1.25g'],
    ['1.250 %', '1.25%'],
    ['0.250 g', '0.25g'],
    ['1 250 g', '1250g'],
    ['700gm', '700g'],
    ['7 Gramm', '7g'],
    ['7公克', '7g'],
    ['7 г', '7g'],
    ['1万克', '10000g'],
    ['1千克', '1000g'],
    ['2 oz', '56.69904625g'],
    ['5份', '5part'],
    ['3 parts', '3part'],
    ['百分之五', '5%'],
    ['千分之五', '0.5%'],
    ['百分之二十五', '25%'],
    ['百分之零点五', '0.5%'],
    ['各1.5%', '1.5%'],
    ['余量', 'balance'],
    ['余', 'balance'],
    ['加水至100', 'balance'],
    ['qsp 100', 'balance'],
    ['ad 1000 g', 'balance'],
    ['q.s.', 'as-needed'],
    ['调pH至6.5', 'as-needed'],
  ])('reads %j as the amount %s', (text, amount) => {
    if (amount === undefined) expect(only(text)).not.toContain('amount');
    else expect(only(text)).toBe(`amount=${amount}`);
  });

  it.each(['5 ml', '20 gttes', '5 Tropfen', '1 TL', '3滴', '1 pinch', '2 sachets', '7两', '1 cup'])(
    'knows %s as a volume or a count, which is no amount',
    (text) => expect(tokenize(text).map(({ kind }) => kind)).toEqual(['volume']),
  );

  it.each([
    ...['75℃', '10 min', '1500 rpm', '350 cst', '¥25/kg', '25 EUR', 'pH 5.5', 'SPF 50', 'lot 2301'],
    ...['2024-03-11', '17.01.2024', '10:32', '95% vol.'],
  ])('knows %s as a measure of something else', (text) => {
    expect(tokenize(text).map(({ kind }) => kind)).toEqual(['measure']);
  });

  it.each(['7732-18-5', 'CAS 56-81-5', 'CAS No. 56-81-5', '231-791-2'])(
    'knows the number %s of a register',
    (text) => {
      expect(tokenize(text).map(({ kind }) => kind)).toEqual(['cas']);
    },
  );

  it.each([
    ...['C12-15', 'PEG-40', 'PEG/PPG-18/18', '1,2-Hexanediol', "4,4'-Dihydroxybiphenyl", 'CI 77491'],
    ...['N,N-Diethyl-P-Phenylenediamine', '4-叔丁基', '聚山梨醇酯-20', '#5', 'n°2', 'D5', 'V2.1', 'Denat.'],
  ])('takes %s for one word', (text) => {
    expect(inWords(text)).toEqual([`word ${text}`]);
  });

  it.each(['0. 3%', '5.5.5', '80·5%', '5.%.2', '99-50%', '5%%', '5??', '1 250 g of', 'to 85'])(
    'does not understand %s as a whole',
    (text) =>
      expect(tokenize(`x ${text}`).some(({ kind }) => kind === 'unknown' || kind === 'word')).toBe(true),
  );

  it.each([
    ['水余量，甘油5%', ['word 水', 'amount 余量=balance', 'separator ，', 'word 甘油', 'amount 5%=5%']],
    [
      'Aqua 90,1,2-Hexanediol 2',
      ['word Aqua', 'amount 90=90', 'separator ,', 'word 1,2-Hexanediol', 'amount 2=2'],
    ],
    ['Glycerin5%', ['word Glycerin', 'amount 5%=5%']],
    ['77% - 192.5g', ['amount 77%=77%', 'mark -', 'amount 192.5g=192.5g']],
    ['Polysorbate 20 - 2%', ['word Polysorbate', 'amount 20=20', 'mark -', 'amount 2%=2%']],
    ['Aloe¹ (a (b))', ['word Aloe', 'mark ¹', 'bracket (a (b))']],
    ['(5', ['unknown (', 'amount 5=5']],
  ])('cuts %j', (text, tokens) => {
    expect(inWords(text)).toEqual(tokens);
  });

  it('loses no character but blanks, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a水5.,%‰½ -–()[]gm1至加q.s约各/:;'), maxLength: 60 });
    fc.assert(
      fc.property(text, (line) => {
        const rest = tokenize(line).reduce(
          (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
          line,
        );
        expect(rest.trim()).toBe('');
      }),
    );
  });
});
