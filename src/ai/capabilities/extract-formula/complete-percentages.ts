import { type Amount, gramsPer, readAmount } from './amounts';
import { type ExtractedLine, type RawLine } from './extracted-line';

/** A line on its way from text to a number. */
type Share =
  | { readonly kind: 'percent'; readonly value: number; readonly note?: string }
  | { readonly kind: 'mass'; readonly grams: number; readonly note?: string }
  | { readonly kind: 'balance'; readonly totalGrams?: number }
  | { readonly kind: 'open'; readonly note: string };

/**
 * Turns what the model extracted into percent by weight: grams become percent of the total, a range its
 * middle with a note, and the balance line gets the remainder when exactly one asks for it. A line without
 * any number stays 0, with its reason in the notes.
 */
export function completePercentages(lines: readonly RawLine[]): ExtractedLine[] {
  const shares = chooseBalance(lines, lines.map(readShare));
  const totalGrams = massTotal(shares);
  const percents = shares.map((share) => {
    if (share.kind === 'percent') return share.value;
    return share.kind === 'mass' && totalGrams > 0 ? (share.grams / totalGrams) * 100 : 0;
  });
  const balances = shares.filter((share) => share.kind === 'balance').length;
  const remainder = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  return lines.map((line, index) => {
    const share = shares[index] as Share;
    const takesRest = share.kind === 'balance' && balances === 1 && remainder >= 0;
    return {
      inciName: line.inciName.trim(),
      chineseName: line.chineseName.trim(),
      percentage: tidy(takesRest ? remainder : (percents[index] ?? 0)),
      phase: line.phase.trim(),
      processNotes: withNote(line.processNotes, takesRest ? undefined : noteOf(share)),
    };
  });
}

function readShare(line: RawLine): Share {
  if (line.balance === true) return balanceOf(line);
  const share = shareOfAmount(line, String(line.amount ?? ''));
  if (share) return share;
  if (line.percentage !== null && line.percentage > 0) return { kind: 'percent', value: line.percentage };
  // A model that knows only the five plain fields leaves such words in the notes.
  const noted = readAmount(line.processNotes);
  if (noted.kind === 'balance' && (noted.target === undefined || noted.target === 100))
    return { kind: 'balance' };
  return { kind: 'open', note: noted.kind === 'as-needed' ? '' : '原文未给出用量' };
}

function balanceOf(line: RawLine): Share {
  const stated: Amount =
    typeof line.amount === 'number'
      ? { kind: 'number', value: line.amount }
      : readAmount(String(line.amount ?? ''));
  const target =
    stated.kind === 'balance' ? stated.target : stated.kind === 'number' ? stated.value : undefined;
  const perUnit = gramsPer(line.unit);
  return {
    kind: 'balance',
    totalGrams: target !== undefined && perUnit !== undefined ? target * perUnit : undefined,
  };
}

function shareOfAmount(line: RawLine, text: string): Share | undefined {
  const amount: Amount =
    typeof line.amount === 'number' ? { kind: 'number', value: line.amount } : readAmount(text);
  const perUnit = gramsPer(line.unit ?? massUnitIn(text));
  const of = (value: number, note?: string): Share =>
    perUnit === undefined ? { kind: 'percent', value, note } : { kind: 'mass', grams: value * perUnit, note };
  switch (amount.kind) {
    case 'range':
      return of((amount.low + amount.high) / 2, `原文用量范围 ${amount.low}-${amount.high},取中值`);
    case 'number':
      // A percentage that the model worked out itself is kept, unless the amount is a mass.
      if (perUnit === undefined && line.percentage !== null && line.percentage > 0) return undefined;
      return of(amount.value);
    case 'balance':
      return {
        kind: 'balance',
        totalGrams:
          amount.target !== undefined && perUnit !== undefined ? amount.target * perUnit : undefined,
      };
    case 'as-needed':
      return line.percentage !== null && line.percentage > 0 ? undefined : { kind: 'open', note: '适量' };
    case 'unknown':
      return undefined;
  }
}

/** The unit of mass written behind the number when the model left it in the amount. */
function massUnitIn(text: string): string | undefined {
  return /\d\s*(kg|mg|g|克|千克|公斤|毫克)(?![a-z])/iu.exec(text.normalize('NFKC'))?.[1];
}

const WATER = /^(aqua|water|purified water|deionized water|去离子水|纯化水|纯水|水|蒸馏水)$/iu;

/** "水 适量" asks for the balance too where nothing else does: water is what formulas are filled up with. */
function chooseBalance(lines: readonly RawLine[], shares: readonly Share[]): Share[] {
  if (shares.some((share) => share.kind === 'balance')) return [...shares];
  const isWater = (line: RawLine): boolean =>
    WATER.test(line.inciName.trim()) || WATER.test(line.chineseName.trim());
  const open = shares.map((share, index) => share.kind === 'open' && isWater(lines[index] as RawLine));
  if (open.filter(Boolean).length !== 1) return [...shares];
  return shares.map((share, index) => (open[index] ? { kind: 'balance' } : share));
}

/**
 * The mass that is 100 %: the balance line's target when it names one; else the sum of the masses, raised by
 * the share that other lines give in percent. A batch with a balance line and no target is taken as 100 g.
 */
function massTotal(shares: readonly Share[]): number {
  const balance = shares.find((share) => share.kind === 'balance');
  if (balance?.kind === 'balance' && balance.totalGrams !== undefined) return balance.totalGrams;
  let grams = 0;
  let percent = 0;
  for (const share of shares) {
    if (share.kind === 'mass') grams += share.grams;
    if (share.kind === 'percent') percent += share.value;
  }
  if (balance) return Math.max(100, grams);
  return percent < 100 ? grams / (1 - percent / 100) : 0;
}

function noteOf(share: Share): string | undefined {
  return share.kind === 'balance' ? '余量,原文不足以确定用量' : share.note;
}

function withNote(notes: string, note: string | undefined): string {
  const own = notes.trim();
  if (!note || own.includes(note)) return own;
  return own === '' ? note : `${own};${note}`;
}

/**
 * Percent to four decimals: finer than any balance in a laboratory, without the tail that binary fractions
 * leave.
 */
function tidy(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
