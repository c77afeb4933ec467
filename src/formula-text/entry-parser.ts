import { isKnownOther, isProcedure, isTalk, mayBeIngredient } from './text-lines';
import {
  isFunction,
  JOINING,
  MATERIAL_MEASURE,
  type Names,
  namesIn,
  NO_NAME,
  NUMBERED_NAME,
  SOLUTION,
  withBothQuotes,
} from './names';
import { middleOf, type Quantity, type Unit } from './quantity';
import { type AmountToken, type Token, tokenize } from './tokenizer';

/** An ingredient with its amount, as a line names it. */
export interface Entry extends Names {
  readonly quantity: Quantity;
  readonly note: string;
  /** Phase named beside the ingredient. If absent, the heading's phase applies. */
  readonly phase?: string;
}

/** The possible readings of a piece of a line. Each of them explains the complete piece. */
export type Readings = readonly (readonly Entry[])[];

/** `open`: may name an ingredient, without an amount; `numbered`: has a number that is not understood. */
export type Doubt = 'none' | 'open' | 'numbered';

export interface ParsedPiece {
  readonly readings: Readings;
  readonly doubt: Doubt;
}

/** The text to parse, with narrow characters (`text`) and as written (`raw`). */
export interface WrittenLine {
  readonly text: string;
  readonly raw: string;
}

/** Returns true for a few words that end with an amount. */
export const isShortEntry = (text: string): boolean =>
  text.length <= 40 && hasAmount(tokenize(text).slice(-1));

/** Reads the entries of a piece, without list numbers, phases and labels. */
export function parseEntries(line: WrittenLine): ParsedPiece {
  const tokens = tokenize(line.text);
  const runs = runsOf(tokens);
  const isUnknown = tokens.some(({ kind }) => kind === 'unknown');
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  // A volume alone does not determine a share.
  const isVolume = amounts.some(
    (run) =>
      run.amounts.length === 0 ||
      isVolumeOfRest(run) ||
      run.tokens.some((token, at) => isVolumeOfStrength(run.tokens[at - 1], token)),
  );
  const ways =
    isUnknown || isVolume || amounts.length === 0 || isBatchHeading(line.text, tokens)
      ? []
      : runs[0]!.isAmounts
        ? amountFirst(runs, line)
        : nameFirst(runs, line);
  const readings = ways.map((parts) => entriesOf(line, parts)).filter((entries) => entries.length > 0);
  return { readings, doubt: readings.length > 0 ? 'none' : doubtOf(line.text, tokens) };
}

/** Returns true for "Aqua q.s. 500 ml" and "Aqua 1 L (balance)": the volume is that of the product, or of the rest. */
const isVolumeOfRest = ({ tokens, amounts }: Run): boolean =>
  tokens.some((token) => token.kind === 'volume' && !('isInBracket' in token)) &&
  amounts.some((amount) => ['as-needed', 'balance'].includes(classOf(amount)));

/** Returns true for the volume in "Ethanol 96% 700 ml", which follows a strength. */
const isVolumeOfStrength = (before: Token | undefined, token: Token): boolean =>
  token.kind === 'volume' &&
  !('isInBracket' in token) &&
  before?.kind === 'amount' &&
  classOf(before) === '%';

/** Returns true for a heading above a list, such as "For 200 grams:". */
const isBatchHeading = (text: string, tokens: readonly Token[]): boolean => {
  const amounts = tokens.flatMap((token) => (token.kind === 'amount' ? [classOf(token)] : []));
  return /:\s*$/u.test(text) && amounts.length === 1 && amounts[0] === 'g';
};

/** Matches a number with a letter that a scanner misread: "l0 g". */
const MISREAD =
  /[\s|:=(●,，;]\s?(?=[\d.,]*[lIOoS])[lIOoS\d.,]*\d[lIOoS\d.,]*\s?(?:%|k?g|mg|ml|oz|克|份|滴)(?!\p{L})/u;

/** Classifies a piece that was not read. */
function doubtOf(text: string, tokens: readonly Token[]): Doubt {
  if (isBatchHeading(text, tokens)) return 'none';
  // A name with an amount is reported even if it sounds like conversation.
  const isTalkAlone = isTalk(text) && !isShortEntry(text);
  const isGarbled =
    tokens.some(
      ({ kind, text: part, start }) =>
        kind === 'unknown' &&
        (/[\d¼-¾⅐-⅞]/u.test(part) || (/[%‰]/u.test(part) && /\S/u.test(text[start - 1] ?? ' '))),
    ) || tokens.some(({ kind, text: part }) => kind === 'word' && /^\d[\d.]*[a-z]/iu.test(part));
  const isVolume = tokens.some(({ kind }) => kind === 'volume');
  const isPriced =
    hasWord(tokens) && tokens.some(({ kind, text: part }) => kind === 'measure' && /[¥$€£%]/u.test(part));
  const isMissing = /[\s?]\?|\s(?:n\.? ?\/?a\.?|n\.n\.|tbd|待定)$/iu.test(text) && hasWord(tokens);
  if (
    (hasAmount(tokens) || isGarbled || isVolume || isPriced || isMissing || MISREAD.test(text)) &&
    !isTalkAlone
  )
    return 'numbered';
  return mayBeIngredient(text) ? 'open' : 'none';
}

/** The position of an entry's name, and its amount. */
interface EntrySpan {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Token[];
  readonly choice: Choice | undefined;
  readonly note?: string;
}

/** Returns the raw text for the last occurrence of a part of the narrow text. */
export function rawOf(source: WrittenLine, part: string): string {
  const at = source.text.lastIndexOf(part);
  return at < 0 ? part : source.raw.slice(at, at + part.length);
}

export const withNote = (entry: Entry, ...notes: (string | undefined)[]): Entry => ({
  ...entry,
  note: [entry.note, ...notes].filter(Boolean).join(';'),
});

/** Returns the entries of a reading, or none if one of the names is invalid. */
function entriesOf(line: WrittenLine, parts: readonly EntrySpan[]): Entry[] {
  const entries = parts.flatMap(({ start, end, words, choice, note }) => {
    const isMeasured = words.some(({ kind, text }) => kind === 'measure' && !MATERIAL_MEASURE.test(text));
    if (!choice || isMeasured) return [undefined];
    const source = { text: withBothQuotes(line.text, start, end), raw: withBothQuotes(line.raw, start, end) };
    const names = choice.isEach
      ? source.text.split(/[、，&]|(?<!\d),|,(?!\d)|\s(?:and|und|et)\s|[和与及]/u)
      : [source.text];
    return names.map((name) => {
      const entry = entryOf(source, name, choice.quantity);
      return entry && withNote(entry, choice.note, note);
    });
  });
  return entries.includes(undefined) ? [] : (entries as Entry[]);
}

function entryOf(source: WrittenLine, text: string, quantity: Quantity): Entry | undefined {
  const found = namesIn(text);
  const either = found && (found.inciName || found.chineseName);
  if (!either || isKnownOther(either) || isTalk(either) || NO_NAME.test(either) || JOINING.test(either))
    return undefined;
  const [inciName, chineseName, note] = [found.inciName, found.chineseName, found.note].map((part) =>
    rawOf(source, part),
  ) as [string, string, string];
  return { inciName, chineseName, note, quantity };
}

const isBare = ({ amounts: [amount] }: Run): boolean => amount !== undefined && classOf(amount) === 'bare';
const tokensOfRuns = (runs: readonly Run[]): Token[] => runs.flatMap(({ tokens }) => tokens);

/**
 * Reads "Glycerin 5%", several of these, or one entry whose name has numbers: "NaOH 10% solution
 * 0.5", "Oleth 10 phosphate 2".
 */
function nameFirst(runs: readonly Run[], line: WrittenLine): EntrySpan[][] {
  const behind = runs.at(-1)!;
  const note = behind.isAmounts ? '' : noteIn(line, behind);
  if (note === undefined || (runs.length > 3 && !behind.isAmounts && hasWord(behind.tokens))) return [];
  const names = runs.filter(({ isAmounts }, at) => !isAmounts && at < runs.length - 1);
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  const choices = names.map((name, at) => choicesOf(amounts[at]!, line.text.slice(name.start, name.end)));
  const part = (at: number, choice: Choice | undefined): EntrySpan => {
    const { start, end, tokens } = names[at]!;
    const of = { start, words: tokens, choice, ...(at === names.length - 1 && { note }) };
    if (choice && choice.ofTheName > 0)
      return { ...of, end: amounts[at]!.amounts[choice.ofTheName - 1]!.end };
    const last = tokens.at(-1)!;
    // In "Alcohol 95% vol." the strength by volume is not part of the name.
    if (!/vol\.?$|[vw]\/v$/iu.test(last.text)) return { ...of, end };
    return { ...of, end: tokens.at(-2)?.end ?? end, note: [last.text, of.note].filter(Boolean).join(';') };
  };
  if (names.length === 1) return choices[0]!.map((choice) => [part(0, choice)]);
  const inner = amounts.slice(0, -1);
  const isOfName = inner.every((run, at) => {
    const between = line.text.slice(run.end, amounts[at + 1]!.start);
    return (
      isNumberOfName(run) ||
      (run.amounts.length === 1 && classOf(run.amounts[0]!) === '%' && SOLUTION.test(between))
    );
  });
  const asOne = { start: names[0]!.start, end: names.at(-1)!.end, words: tokensOfRuns(names), note };
  const one = isOfName
    ? choices
        .at(-1)!
        .filter(({ ofTheName }) => ofTheName === 0)
        .map((choice) => [{ ...asOne, choice }])
    : [];
  const isCertain = inner.every(
    (run) => !isBare(run) || !isBare(amounts.at(-1)!) || NUMBERED_NAME.test(line.text.slice(0, run.start)),
  );
  if (isOfName && isCertain) return one;
  return areAlike(amounts) ? [...one, choices.map(([choice], at) => part(at, choice))] : one;
}

/** Returns the text after an amount if it is a note, or undefined if it may be another ingredient. */
function noteIn({ raw }: WrittenLine, { start, end, tokens }: Run): string | undefined {
  const note = raw
    .slice(start, end)
    .replace(/^[([{（【]([^()[\]{}（）【】]*)[)\]}）】]$/u, '$1')
    .trim();
  if (tokens.every(({ kind }) => kind === 'bracket')) return note;
  if (note.length > 80) return undefined;
  const isRemark = isFunction(note) || isProcedure(note) || /^\p{Ll}(?!\p{Script=Han})/u.test(note);
  return isRemark || tokens.some(({ kind }) => kind === 'measure') ? note : undefined;
}

/** Returns the position after "di" in "5 g di olio". Elsewhere it belongs to the name: "DI Water", "Di Sodium EDTA". */
const afterOf = (text: string, start: number): number =>
  start + (/^\s*di\s+/u.exec(text.slice(start, start + 20))?.[0].length ?? 0);

/** Reads "5% Glycerin", or several of these. "5% Wax 2" and "70% Sorbitol 5" have a second number. */
function amountFirst(runs: readonly Run[], { text }: WrittenLine): EntrySpan[][] {
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  const names = runs.filter(({ isAmounts }) => !isAmounts);
  const [lead, ...others] = amounts as [Run, ...Run[]];
  const [name, more] = names;
  if (!name) return [];
  const last = runs.at(-1)!;
  const part = (start: number, end: number, words: readonly Token[], run: Run): EntrySpan => ({
    ...{ start: afterOf(text, start), end, words, choice: completeChoice(run)[0] },
  });
  const isNumbered = others.length > 0 && others.every(isNumberOfName) && !isBare(lead);
  const asNumbered = part(name.start, last.end, tokensOfRuns(names), lead);
  if (!last.isAmounts) {
    if (isNumbered) return [[asNumbered]];
    if (!areAlike(amounts) && names.length > 1) return [];
    return [names.map(({ start, end, tokens }, at) => part(start, end, tokens, amounts[at]!))];
  }
  if (more) return [];
  const isKnown = NUMBERED_NAME.test(text.slice(0, last.start)) && isNumberOfName(last);
  const isStrength = classOf(lead.amounts[0]!) === '%' && lead.tokens.length === 1 && !isKnown;
  const asStrength = part(lead.start, name.end, name.tokens, last);
  return [...(isNumbered || isKnown ? [[asNumbered]] : []), ...(isStrength ? [[asStrength]] : [])];
}

/** An amount. `isInBracket` is true if it has brackets of its own. */
type RunAmount = AmountToken & { readonly isInBracket?: boolean };

/** Adjacent tokens of one kind: amounts and volumes, or words with their brackets and measures. */
interface Run {
  readonly isAmounts: boolean;
  readonly tokens: Token[];
  /** The amounts among the tokens, without volumes. */
  readonly amounts: RunAmount[];
  readonly start: number;
  end: number;
}

/** A reading of the amounts of an ingredient: the number of amounts that belong to its name, and its amount. */
interface Choice {
  readonly ofTheName: number;
  readonly quantity: Quantity;
  readonly isEach?: boolean;
  readonly note?: string;
}

/** Returns the amounts in a bracket that contains nothing else. */
function bracketAmounts(token: Token): Token[] {
  if (token.kind !== 'bracket' || token.inner.length > 40) return [];
  const inner = tokenize(token.inner).filter(({ kind }) => kind !== 'mark' && kind !== 'separator');
  return inner.every(({ kind }) => kind === 'amount' || kind === 'volume') ? inner : [];
}

const isCas = (token: Token): boolean =>
  token.kind === 'bracket' && tokenize(token.inner).every(({ kind }) => kind === 'cas' || kind === 'mark');

export const hasWord = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind === 'word');
export const hasAmount = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => token.kind === 'amount' || bracketAmounts(token).length > 0);

function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  for (const token of tokens) {
    if (['mark', 'separator', 'cas'].includes(token.kind) || isCas(token)) continue;
    const { start, end } = token;
    const inBracket = bracketAmounts(token).map((inner) => ({ ...inner, start, end, isInBracket: true }));
    const isAmounts = token.kind === 'amount' || token.kind === 'volume' || inBracket.length > 0;
    const parts: Token[] = inBracket.length > 0 ? inBracket : [token];
    // Removes the "or" of "0.3 grams or 1/8 tsp."
    if (isAmounts && runs.length > 1 && /^(?:or|oder|ou)$/iu.test(onlyToken(runs.at(-1)!))) runs.pop();
    let last = runs.at(-1);
    if (last?.isAmounts !== isAmounts) runs.push((last = { isAmounts, tokens: [], amounts: [], start, end }));
    last.tokens.push(...parts);
    last.amounts.push(...parts.filter((part) => part.kind === 'amount'));
    last.end = end;
  }
  return runs;
}

const onlyToken = ({ tokens }: Run): string => (tokens.length === 1 ? tokens[0]!.text : '');

type AmountClass = Unit | 'bare' | 'balance' | 'as-needed';
const classOf = ({ quantity }: AmountToken): AmountClass =>
  quantity.kind === 'number' ? (quantity.unit ?? 'bare') : quantity.kind;

/** Returns true if all amounts have the same unit, as those of several ingredients in one piece do. */
const areAlike = (runs: readonly Run[]): boolean => {
  const classes = runs.flatMap(({ amounts }) => amounts.map(classOf));
  return new Set(classes.filter((name) => name !== 'balance' && name !== 'as-needed')).size < 2;
};

/** Returns true for a single integer, or two with a hyphen, as in names. */
const isNumberOfName = ({ tokens: [token, ...others] }: Run): boolean =>
  token !== undefined && others.length === 0 && mayBeOfName(token);
const mayBeOfName = (token: Token): boolean =>
  token.kind === 'amount' && /^\d+(?:-\d+)?$/u.test(token.text) && !('isInBracket' in token);

/** Returns the possible readings of the amounts that follow a name without another name between them. */
function choicesOf(run: Run, name: string): Choice[] {
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
  const withStrength = { ...choose(first, 0), note: second.text };
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
        ? [last, withStrength]
        : [last];
    case '% bare':
    case '% balance':
      return [last];
  }
  if (!mayBeOfName(first)) return [];
  if (isNumbered || middleOf(first.quantity) > 100 || /-/u.test(first.text)) return [last];
  // In "Urea 10 (99%)" the bracket may be a purity.
  if (classOf(second) === '%' && second.isInBracket) return [last, withStrength];
  // In "Aqua 95 (q.s. to 100)" the amount is before the bracket.
  if (['balance', 'as-needed'].includes(classOf(second))) return second.isInBracket ? [choose(first, 0)] : [];
  const isHan = /\p{Script=Han}$/u.test(name.trim());
  if (classOf(second) === 'g') return isHan ? [] : [last];
  // Columns of amounts are written alike, so in "Disperse Black 9 1.5" the 9 is part of the name.
  const isAlike = isHan || second.isInBracket || !/[.,]/u.test(second.text);
  return classOf(second) === 'bare' && isAlike ? [last, choose(first, 0)] : [last];
}

/** Returns the reading of amounts that have no name before them, if there is exactly one. */
function completeChoice(run: Run): Choice[] {
  const choices = choicesOf(run, '');
  return choices.length === 1 && choices[0]!.ofTheName === 0 ? choices : [];
}
