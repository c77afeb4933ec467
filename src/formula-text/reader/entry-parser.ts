import { isKnownOther, isProcedure, isTalk, mayBeIngredient } from './lines/line-kinds';
import { type Names, namesIn } from './names';
import {
  areAlike,
  type Choice,
  choicesOf,
  classOf,
  completeChoice,
  hasAmount,
  hasWord,
  isNumberOfName,
  type Run,
  runsOf,
} from './runs';
import type { Quantity } from './tokens/quantity';
import { type Token, tokenize } from './tokens/tokenizer';
import { isFunction, JOINING, MATERIAL_MEASURE, NO_NAME, NUMBERED_NAME, SOLUTION } from './tokens/vocabulary';

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
export interface Line {
  readonly text: string;
  readonly raw: string;
}

const LONGEST_NOTE = 80;
const LONGEST_DOUBT = 40;
/** Returns true for a few words that end with an amount. */
export const isShortEntry = (text: string): boolean =>
  text.length <= LONGEST_DOUBT && hasAmount(tokenize(text).slice(-1));

/** Reads the entries of a piece, without list numbers, phases and labels. */
export function parseEntries(line: Line): ParsedPiece {
  const tokens = tokenize(line.text);
  const runs = runsOf(tokens);
  const isUnknown = tokens.some(({ kind }) => kind === 'unknown');
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  // A volume alone does not determine a share.
  const isVolume = amounts.some(
    (run) =>
      run.amounts.length === 0 ||
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
interface Part {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Token[];
  readonly choice: Choice | undefined;
  readonly note?: string;
}

/** Returns the raw text for the last occurrence of a part of the narrow text. */
export function rawOf(source: Line, part: string): string {
  const at = source.text.lastIndexOf(part);
  return at < 0 ? part : source.raw.slice(at, at + part.length);
}

export const withNote = (entry: Entry, ...notes: (string | undefined)[]): Entry => ({
  ...entry,
  note: [entry.note, ...notes].filter(Boolean).join(';'),
});

/** Returns the entries of a reading, or none if one of the names is invalid. */
function entriesOf(line: Line, parts: readonly Part[]): Entry[] {
  const entries = parts.flatMap(({ start, end, words, choice, note }) => {
    const isMeasured = words.some(({ kind, text }) => kind === 'measure' && !MATERIAL_MEASURE.test(text));
    if (!choice || isMeasured) return [undefined];
    const source = { text: line.text.slice(start, end), raw: line.raw.slice(start, end) };
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

function entryOf(source: Line, text: string, quantity: Quantity): Entry | undefined {
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
const wordsOf = (runs: readonly Run[]): Token[] => runs.flatMap(({ tokens }) => tokens);

/**
 * Reads "Glycerin 5%", several of these, or one entry whose name has numbers: "NaOH 10% solution
 * 0.5", "Oleth 10 phosphate 2".
 */
function nameFirst(runs: readonly Run[], line: Line): Part[][] {
  const behind = runs.at(-1)!;
  const note = behind.isAmounts ? '' : noteIn(line, behind);
  if (note === undefined || (runs.length > 3 && !behind.isAmounts && hasWord(behind.tokens))) return [];
  const names = runs.filter(({ isAmounts }, at) => !isAmounts && at < runs.length - 1);
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  const choices = names.map((name, at) => choicesOf(amounts[at]!, line.text.slice(name.start, name.end)));
  const part = (at: number, choice: Choice | undefined): Part => {
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
  const asOne = { start: names[0]!.start, end: names.at(-1)!.end, words: wordsOf(names), note };
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
function noteIn({ raw }: Line, { start, end, tokens }: Run): string | undefined {
  const note = raw
    .slice(start, end)
    .replace(/^[([{（【]([^()[\]{}（）【】]*)[)\]}）】]$/u, '$1')
    .trim();
  if (tokens.every(({ kind }) => kind === 'bracket')) return note;
  if (note.length > LONGEST_NOTE) return undefined;
  const isRemark = isFunction(note) || isProcedure(note) || /^\p{Ll}(?!\p{Script=Han})/u.test(note);
  return isRemark || tokens.some(({ kind }) => kind === 'measure') ? note : undefined;
}

/** Reads "5% Glycerin", or several of these. "5% Wax 2" and "70% Sorbitol 5" have a second number. */
function amountFirst(runs: readonly Run[], { text }: Line): Part[][] {
  const amounts = runs.filter(({ isAmounts }) => isAmounts);
  const names = runs.filter(({ isAmounts }) => !isAmounts);
  const [lead, ...others] = amounts as [Run, ...Run[]];
  const [name, more] = names;
  if (!name) return [];
  const last = runs.at(-1)!;
  const part = (start: number, end: number, words: readonly Token[], run: Run): Part => ({
    ...{ start, end, words, choice: completeChoice(run)[0] },
  });
  const isNumbered = others.length > 0 && others.every(isNumberOfName) && !isBare(lead);
  const asNumbered = part(name.start, last.end, wordsOf(names), lead);
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
