import { middleOf, type Quantity, type Unit } from './tokens/quantity';
import { type AmountToken, type Token, tokenize } from './tokens/tokenizer';
import { NUMBERED_NAME } from './tokens/vocabulary';

/** An amount. `isInBracket` is true if it has brackets of its own. */
export type RunAmount = AmountToken & { readonly isInBracket?: boolean };

/** Adjacent tokens of one kind: amounts and volumes, or words with their brackets and measures. */
export interface Run {
  readonly isAmounts: boolean;
  readonly tokens: Token[];
  /** The amounts among the tokens, without volumes. */
  readonly amounts: RunAmount[];
  readonly start: number;
  end: number;
}

/** A reading of the amounts of an ingredient: the number of amounts that belong to its name, and its amount. */
export interface Choice {
  readonly ofTheName: number;
  readonly quantity: Quantity;
  readonly isEach?: boolean;
  readonly note?: string;
}

const LONGEST_BRACKET = 40;

/** Returns the amounts in a bracket that contains nothing else. */
function bracketAmounts(token: Token): Token[] {
  if (token.kind !== 'bracket' || token.inner.length > LONGEST_BRACKET) return [];
  const inner = tokenize(token.inner).filter(({ kind }) => kind !== 'mark' && kind !== 'separator');
  return inner.every(({ kind }) => kind === 'amount' || kind === 'volume') ? inner : [];
}

const isCas = (token: Token): boolean =>
  token.kind === 'bracket' && tokenize(token.inner).every(({ kind }) => kind === 'cas' || kind === 'mark');

export const hasWord = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind === 'word');
export const hasAmount = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => token.kind === 'amount' || bracketAmounts(token).length > 0);

export function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  for (const token of tokens) {
    if (['mark', 'separator', 'cas'].includes(token.kind) || isCas(token)) continue;
    const { start, end } = token;
    const inBracket = bracketAmounts(token).map((inner) => ({ ...inner, start, end, isInBracket: true }));
    const isAmounts = token.kind === 'amount' || token.kind === 'volume' || inBracket.length > 0;
    const parts: Token[] = inBracket.length > 0 ? inBracket : [token];
    // Removes the "or" of "0.3 grams or 1/8 tsp."
    if (isAmounts && runs.length > 1 && /^(?:or|oder|ou)$/iu.test(textOf(runs.at(-1)!))) runs.pop();
    let last = runs.at(-1);
    if (last?.isAmounts !== isAmounts) runs.push((last = { isAmounts, tokens: [], amounts: [], start, end }));
    last.tokens.push(...parts);
    last.amounts.push(...parts.filter((part) => part.kind === 'amount'));
    last.end = end;
  }
  return runs;
}

const textOf = ({ tokens }: Run): string => (tokens.length === 1 ? tokens[0]!.text : '');

export type AmountClass = Unit | 'bare' | 'balance' | 'as-needed';
export const classOf = ({ quantity }: AmountToken): AmountClass =>
  quantity.kind === 'number' ? (quantity.unit ?? 'bare') : quantity.kind;

/** Returns true if all amounts have the same unit, as those of several ingredients in one piece do. */
export const areAlike = (runs: readonly Run[]): boolean => {
  const classes = runs.flatMap(({ amounts }) => amounts.map(classOf));
  return new Set(classes.filter((name) => name !== 'balance' && name !== 'as-needed')).size < 2;
};

/** Returns true for a single integer, or two with a hyphen, as in names. */
export const isNumberOfName = ({ tokens: [token, ...others] }: Run): boolean =>
  token !== undefined && others.length === 0 && mayBeOfName(token);
const mayBeOfName = (token: Token): boolean =>
  token.kind === 'amount' && /^\d+(?:-\d+)?$/u.test(token.text) && !('isInBracket' in token);

/** Returns the possible readings of the amounts that follow a name without another name between them. */
export function choicesOf(run: Run, name: string): Choice[] {
  // A target such as a pH is a note if there is an amount beside it. Otherwise it means "as much as needed".
  const adjusted = run.amounts.find(({ note }) => note !== undefined);
  const others = run.amounts.filter((amount) => amount !== adjusted);
  const isStrength = others.length === 1 && others[0]!.isInBracket && run.amounts[0] === others[0];
  const amounts = others.length > 0 && !isStrength ? others : run.amounts;
  const choose = ({ quantity, isEach }: RunAmount, ofTheName: number): Choice => {
    return { ofTheName, quantity, ...(isEach && { isEach }), ...(adjusted && { note: adjusted.note }) };
  };
  const [first, second] = amounts;
  if (!first) return [];
  const isNumbered = NUMBERED_NAME.test(name);
  if (!second) return mayBeOfName(first) && isNumbered ? [] : [choose(first, 0)];
  if (amounts.length === 3 && (mayBeOfName(first) || classOf(first) === '%')) {
    return completeChoice({ ...run, amounts: amounts.slice(1) }).map((choice) => ({
      ...choice,
      ofTheName: 1,
    }));
  }
  if (amounts.length > 2) return [];
  const last = choose(second, 1);
  // In "柠檬酸(20%) 调pH至6.0" the bracket is the strength of a solution, of which the formula needs as much.
  if (first.isInBracket && classOf(first) === '%' && classOf(second) === 'as-needed') return [last];
  switch (`${classOf(first)} ${classOf(second)}`) {
    case '% g':
      return second.isInBracket || name === '' ? [choose(first, 0)] : [choose(first, 0), last];
    case '% part':
      return [choose(first, 0)];
    case 'g %':
    case 'part %':
      return [choose(second, 0)];
    case 'balance %':
      return second.isInBracket ? [choose(second, 0)] : [];
    case '% %':
      // A strength exceeds the amount: "NaOH 10% (0.5%)". If the bracket is larger, it may be a purity.
      return second.isInBracket && middleOf(first.quantity) <= middleOf(second.quantity)
        ? [last, choose(first, 0)]
        : [last];
    case '% bare':
    case '% balance':
      return [last];
  }
  if (!mayBeOfName(first)) return [];
  if (isNumbered || middleOf(first.quantity) > 100 || /-/u.test(first.text)) return [last];
  // In "Aqua 95 (q.s. to 100)" the amount is before the bracket.
  if (['balance', 'as-needed'].includes(classOf(second))) return second.isInBracket ? [choose(first, 0)] : [];
  const isHan = /\p{Script=Han}$/u.test(name.trim());
  if (classOf(second) === 'g') return isHan ? [] : [last];
  // Columns of amounts are written alike, so in "Disperse Black 9 1.5" the 9 is part of the name.
  const isAlike = isHan || second.isInBracket || !/[.,]/u.test(second.text);
  return classOf(second) === 'bare' && isAlike ? [last, choose(first, 0)] : [last];
}

/** Returns the reading of amounts that have no name before them, if there is exactly one. */
export function completeChoice(run: Run): Choice[] {
  const choices = choicesOf(run, '');
  return choices.length === 1 && choices[0]!.ofTheName === 0 ? choices : [];
}
