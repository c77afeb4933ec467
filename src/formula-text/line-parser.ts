import {
  type Doubt,
  hasAmount,
  hasWord,
  isShortEntry,
  type ParsedPiece,
  parseEntries,
  rawOf,
  type Readings,
  withNote,
} from './entry-parser';
import { isKnownOther, isOfTheWhole, isProcedure } from './text-lines';
import { isFunction, JOINING, LABEL, LIST_LABEL, withoutNumber } from './names';
import { type Token, tokenize, tokensOf } from './tokenizer';

export interface ParsedLine {
  readonly pieces: Readings[];
  readonly doubt: Doubt;
  /** Number of pieces beyond the maximum. */
  readonly left: number;
}

/*
 * The grammar of a line, in tokens of `tokenizer.ts`. Marks may be between any two parts:
 *
 *   line       = piece { separator piece }
 *   piece      = [list number] [phase] [label ":"] ( entries | note | phase ) [phase]
 *   entries    = name-first { name-first } [note] | amount-first { amount-first }
 *   name-first = name { strength name } amounts
 *   amount-first = amounts name
 *   amounts    = [number of the name | strength] amount { amount in another unit | volume }
 *   name       = word { word | bracket | number of the name | measure of the material }
 *   note       = { word | bracket | measure } that describes a step or the ingredient's function
 *   number of the name = an integer before an amount: "Montanov 68 (3%)"
 *   strength   = a percentage before an amount or a word for a solution: "NaOH 10% solution 0.5"
 *
 * A piece that does not match is not read. If a piece has several readings, the parser returns all of them, and
 * `choose-readings.ts` decides by the sum of the formula.
 */

const LONGEST_PIECE = 300;
const BULLET = /^[•●○■□▪▫‣◆◇★☆※➢➤∙‧・◦◉◎►▶❖♦\ue000-\uf8ff]$/u;

/** Beginning of a "may contain" list, whose amounts are unknown. */
const MAY_CONTAIN =
  /^[\s([]*(?:\+\s?\/\s?[-−–]|may contain|peut contenir|kann enthalten|può contenere|puede contener|может содержать|可能含有)/iu;

const PHASE_BEFORE =
  /^\s*(?:[([]([A-Z]\d?)[)\]]\s*|([A-H]\d?)(?:\s*[.:、)|]\s*|\s+-\s+|\s+)(?=[\p{Lu}\p{Script=Han}\d(])(?!\d+-))/u;
const PHASE_BEHIND =
  /\s*(?:[([]\s*(?:[Pp]hase\s*)?([A-Z]\d?(?=[\s相)\]])|\p{Script=Han}{1,4}相)相?\s*(?:[Pp]hase)?[)\]]|(?<=[\d%克g])\s+([A-H]\d?)相?|\s(?:[Pp]hase\s+([A-Z]\d?))|\s(\p{Script=Han}{1,3}相))$/u;
/** A phase after an entry and a comma: "甘油 5%,A相". */
const PHASE_ALONE = /^\s*(?:([A-H]\d?)\s*相|phase\s+([A-Z]\d?)|(\p{Script=Han}{1,3}相))\s*$/iu;
/** An instruction that contains the name of the water: "加水至100", "add water to 100". */
const FILLED_UP_WITH_WATER =
  /^(?:用|以|加入?|补加?|补充|add|make up with|fill up with)\s*(\p{Script=Han}{0,5}水|(?:\p{L}+ )?water|aqua)\s*((?:加|补足|定容)?至|补足|到|(?:up )?to|ad)/iu;
/** Title before the entries of a one-line formula. */
const TITLE = /^[^:]{0,30}(?:配方|成分|formula|ingredients?|recipe)\s*:\s*(?=\S)/iu;
/** Beginning of a sentence that continues with its ingredients: "The toner is simply 92% Aqua, …". */
const LEAD =
  /^[^\d()[\]:]{0,40}?(?:用了|含有|包含|包括):?|^(?:the|this|it|our|my|your)\s[^\d()[\]:]{0,60}?\b(?:is|are|contains?|consists of|uses|with)(?: \p{L}+)?\s+(?=[\d.])/iu;

/** Reads a line that is not part of a table. `raw` differs from `source` in the width of characters only. */
export function parseLine(source: string, raw: string, most: number): ParsedLine {
  if (MAY_CONTAIN.test(source)) return { pieces: [], doubt: 'numbered', left: 0 };
  const pieces: Readings[] = [];
  let doubt: Doubt = 'none';
  let left = 0;
  let isLost = false;
  let examined = 0;
  // Replaced by blanks: the number of a list item is not an amount.
  const lead = source.length - withoutSample(withoutNumber(source)).length;
  const text = ' '.repeat(lead) + source.slice(lead);
  for (const { start, end, isNote } of piecesOf(text, isProcedure(text.trim()))) {
    // Formulas in one line have fewer than 600 pieces.
    if (pieces.length >= most || ++examined > 600) {
      left = countPieces(text.slice(start));
      break;
    }
    const piece = text.slice(start, end).trim();
    const phase = PHASE_ALONE.exec(piece)?.slice(1).find(Boolean);
    const note = isNote || isProcedure(piece) || isFunction(piece);
    const last = pieces.at(-1);
    if (last && (phase || (note && !hasAmount(tokenize(piece))))) {
      pieces[pieces.length - 1] = last.map((entries) =>
        entries.map((entry) => ({ ...withNote(entry, phase ? '' : piece), ...(phase && { phase }) })),
      );
      continue;
    }
    const read = parsePiece(text.slice(start, end), raw.slice(start, end));
    if (read.readings.length > 0) pieces.push(read.readings);
    else isLost ||= mayBeLost(piece);
    if (doubt !== 'numbered' && read.doubt !== 'none') doubt = read.doubt;
  }
  // If ingredients were read, an unread name with a share may be another one: "My toner is 90% water, 8% …".
  return { pieces, doubt: isLost && pieces.length > 0 ? 'numbered' : doubt, left };
}

const mayBeLost = (piece: string): boolean => {
  if (piece.length > LONGEST_PIECE) return false;
  const tokens = tokenize(piece);
  return hasWord(tokens) && hasAmount(tokens) && !isOfTheWhole(piece) && !isProcedure(piece);
};

/** Removes the label of "样品1:水 80、甘油 20". It does not name a property if a complete formula follows. */
function withoutSample(text: string): string {
  const label = isOfTheWhole(text.trim()) ? /^[^:]{1,30}:/u.exec(text)?.[0] : undefined;
  const rest = label ? text.slice(label.length) : text;
  return label && tokenize(rest).filter(({ kind }) => kind === 'amount').length > 1 ? rest : text;
}

const doubtful = (doubt: Doubt): ParsedPiece => ({ readings: [], doubt });

function parsePiece(source: string, wholeRaw: string): ParsedPiece {
  if (!/[\p{L}\p{N}]/u.test(source)) return doubtful('none');
  if (source.length > LONGEST_PIECE) return doubtful('open');
  let text = source.trimEnd();
  const cut = (rest: string) => (text = rest.trimStart());
  cut(text);
  cut(withoutNumber(text));
  cut(text.replace(TITLE, ''));
  const filledUp = text.replace(FILLED_UP_WITH_WATER, '$1 $2');
  const isFilledUp = filledUp !== text;
  text = filledUp;
  const isOther = isKnownOther(text);
  const lead = LEAD.exec(text);
  if (lead && /\p{L}/u.test(text.slice(lead[0].length))) cut(text.slice(lead[0].length));
  const before = PHASE_BEFORE.exec(text);
  const isPhase = before && hasWord(tokenize(text.slice(before[0].length)));
  if (isPhase) cut(text.slice(before[0].length));
  const label = LABEL.exec(text);
  if (label) {
    const rest = tokenize(text.slice(label[0].length));
    const first = rest.find(({ kind }) => kind !== 'mark');
    const isBefore = first?.kind === 'amount' ? LIST_LABEL.test(label[1]!) : !isFunction(label[1]!);
    if (isBefore && hasWord(rest) && hasAmount(rest)) cut(text.slice(label[0].length));
  }
  const behind = PHASE_BEHIND.exec(text);
  if (behind) text = text.slice(0, behind.index);
  const phase = (isPhase ? (before[1] ?? before[2]) : undefined) ?? behind?.slice(1).find(Boolean);
  const raw = isFilledUp ? text : rawOf({ text: source, raw: wholeRaw }, text);
  const { readings, doubt } = parseEntries({ text, raw });
  // An instruction, or an ingredient that follows a price or whose name begins like an instruction ("混合生育酚 0.5").
  // If in doubt, it is reported as unread.
  const isPriced = /[¥$€£] ?\d/u.test(text) && hasAmount(tokenize(text));
  if (isOther) return doubtful(isPriced || (!isOfTheWhole(text) && isShortEntry(text)) ? 'numbered' : 'none');
  return {
    readings: readings.map((entries) => entries.map((entry) => ({ ...entry, ...(phase && { phase }) }))),
    doubt,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isNote?: boolean;
}

interface Piece extends Span {
  readonly tokens: Token[];
}

/** Splits a line at its separators, but not within a name or between two amounts of one ingredient. */
function* piecesOf(text: string, isProcedure: boolean): Generator<Span, void, void> {
  const isEach = /各|\b(?:each|je|chacun)\b/iu.test(text);
  let piece: Piece | undefined;
  for (const { by, ...chunk } of chunksOf(text)) {
    if (piece?.isNote) piece = { ...piece, end: chunk.end };
    else if (
      piece &&
      by !== '//' &&
      ((by === 'and' && isProcedure) || isOneWith(piece, chunk.tokens, by, isEach))
    ) {
      piece.tokens.push(...chunk.tokens);
      piece = { ...piece, end: chunk.end };
    } else {
      if (piece && piece.tokens.length > 0) yield piece;
      piece = { ...chunk, ...(by === '//' && { isNote: true }) };
    }
  }
  if (piece && piece.tokens.length > 0) yield piece;
}

/** Yields the text between separators, together with the preceding separator. */
function* chunksOf(text: string): Generator<Piece & { readonly by: string }, void, void> {
  let chunk = { tokens: [] as Token[], start: 0, end: 0, by: '' };
  for (const token of tokensOf(text)) {
    const isStop =
      token.text === '.' && /^\s+[\p{Lu}\p{Script=Han}\d*†‡]/u.test(text.slice(token.end, token.end + 4));
    const isJoining = token.kind === 'word' && JOINING.test(token.text);
    if (token.kind === 'separator' || isStop || isJoining) {
      yield chunk;
      chunk = { tokens: [], start: token.end, end: token.end, by: isJoining ? 'and' : token.text };
    } else {
      chunk.tokens.push(token);
      chunk.end = token.end;
    }
  }
  yield chunk;
}

function isOneWith(last: Piece, next: Token[], by: string, isEach: boolean): boolean {
  if (/^[;；。]$/u.test(by)) return false;
  const isComplete = hasAmount(last.tokens) && hasWord(last.tokens);
  if (by === '、' || BULLET.test(by)) return isEach && !isComplete;
  if (last.end - last.start > LONGEST_PIECE) return false;
  if (!isComplete || (hasAmount(next) && !hasWord(next))) return true;
  return by === 'and' && !(hasAmount(next) && hasWord(next));
}

/** Returns the number of pieces that have a name and a number, for text that exceeds the maximum. */
export const countPieces = (line: string): number =>
  line.split(/[;。、,，]/u).filter((piece) => /\p{L}/u.test(piece) && /\d|[余适適]|q\.?s/u.test(piece))
    .length;
