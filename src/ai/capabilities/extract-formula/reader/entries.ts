import { type AmountToken, amountsIn, wholeAmount } from './amount-tokens';
import { type Names, namesIn, withoutNumber } from './names';
import { isKnownOther, isOfTheWhole, isTalk, mayBeIngredient } from './line-kinds';

/** An ingredient with its amount, as a line gives it. */
export interface Entry extends Names {
  readonly amount: string;
  /** Named beside it; else the heading's counts. */
  readonly phase?: string;
}

/** What stands in a line outside a table. */
export interface ReadEntries {
  readonly entries: Entry[];
  /** Something in the line may be an ingredient, and has no amount. */
  readonly open: boolean;
  /** Pieces that may hold more entries, beyond the most that are read. */
  readonly left: number;
}

/** No entry is longer; what is, is prose, and not worth a slow pattern. */
const LONGEST_PIECE = 300;
const LONGEST_DOUBT = 40;

const PHASE_BEFORE =
  /^\s*(?:[([]([A-Z]\d?)[)\]]\s*|([A-H]\d?)(?:\s*[.:、)|]\s*|\s+-\s+|\s+)(?=[\p{Lu}\p{Script=Han}\d(])(?!\d+-))/u;
const PHASE_BEHIND =
  /\s*(?:[([]\s*(?:[Pp]hase\s*)?([A-Z]\d?(?=[\s相)\]])|\p{Script=Han}{1,4}相)相?\s*(?:[Pp]hase)?[)\]]|(?<=[\d%克g])\s+([A-H]\d?)相?|\s(?:[Pp]hase\s+([A-Z]\d?))|\s(\p{Script=Han}{1,3}相))$/u;

/** Before the entries of a formula in one line. */
const TITLE =
  /^(?:[^:]{0,30}(?:配方|成分|formula|ingredients?|recipe)\s*:\s*(?=\S)|.{0,40}?(?:用了|含有|包含|包括)[::]?|.{0,60}?\b(?:is|are|contains?|consists of|uses|with)(?: \p{L}+)?\s+(?=[\d.]))/iu;
/** Without what stands before the first entry of a formula in one line. */
export function withoutTitle(text: string): string {
  const rest = text.replace(TITLE, '');
  return /\p{L}/u.test(rest) ? rest : text;
}
/** A phase behind an entry and a comma: "甘油 5%,A相". */
const PHASE_ALONE = /^\s*(?:([A-H]\d?)\s*相|phase\s+([A-Z]\d?)|(\p{Script=Han}{1,3}相))\s*$/iu;
/** "加水至100", "add water to 100": the water stands inside. */
const FILLED_UP_WITH_WATER =
  /^(?:用|以|加入?|补加?|补充|add|make up with|fill up with)\s*(\p{Script=Han}{0,5}水|(?:\p{L}+ )?water|aqua)\s*((?:加|补足|定容)?至|补足|到|(?:up )?to|ad)/iu;

/**
 * Reads what stands in one line outside a table.
 * @param most entries that are read; what comes behind them is counted
 */
export function readEntries(line: string, most: number): ReadEntries {
  const entries: Entry[] = [];
  let open = false;
  const text = withoutNumber(line);
  for (const { piece, end } of piecesOf(text)) {
    if (entries.length >= most) return { entries, open, left: 1 + countPieces(text.slice(end)) };
    const phase = PHASE_ALONE.exec(piece)?.slice(1).find(Boolean);
    if (phase && entries.length > 0) {
      entries.push({ phase, ...entries.pop()! });
      continue;
    }
    const read = readPiece(piece);
    entries.push(...read.entries);
    open ||= read.open;
  }
  return { entries, open, left: 0 };
}

/** Pieces of a line that have a name and a number: counted where they are too many to be read. */
export const countPieces = (line: string): number =>
  line.split(/[;。、,，]/u).filter((piece) => /\p{L}/u.test(piece) && /\d|[余适適]|q\.?s/u.test(piece))
    .length;

/** In place of what stands in brackets: no amount and no separator in there counts. */
const MASK = '\ufffc';
export const masked = (text: string): string =>
  text.replace(/\([^()]{0,200}\)|\[[^[\]]{0,200}\]/gu, (bracket) => MASK.repeat(bracket.length));

/** At semicolons, full stops and enumeration commas, and at commas where both sides are entries. */
function* piecesOf(line: string): Generator<{ piece: string; end: number }> {
  const mask = masked(line);
  let held = '';
  let start = 0;
  for (const { index, 0: separator } of mask.matchAll(SEPARATOR)) {
    const piece = held + line.slice(start, index);
    // A name's comma, or one between a name and its amount: "Alcohols, C12-20 Alkyl Glucoside 3", "甘油, 5%".
    const unfinished =
      ',，/'.includes(separator) && !hasAmount(line.slice(start, index), mask.slice(start, index));
    start = index + 1;
    held = unfinished && piece.length <= LONGEST_PIECE ? `${piece}${separator} ` : '';
    if (held === '') yield { piece, end: start };
  }
  yield { piece: held + line.slice(start), end: line.length };
}
/** A comma between digits is a decimal one, or of a name ("1,2-"), but before such a name. */
const SEPARATOR = /[;。、，]|,(?!\d)|(?<!\d),|,(?=\d,\d-)|(?<= )\/(?= )/gu;

const hasAmount = (piece: string, mask: string): boolean =>
  amountsIn(mask).length > 0 || (/[)\]]$/u.test(piece) && bracketAmount(piece) !== undefined);

const bracketAmount = (text: string): { name: string; amount: string } | undefined => {
  const match = /^(.+?)\s*[([]([^()[\]]{1,40})[)\]]\s*$/u.exec(text.slice(0, LONGEST_PIECE));
  const amount = match && wholeAmount(match[2]!);
  return amount ? { name: match[1]!, amount } : undefined;
};

function readPiece(piece: string): Pick<ReadEntries, 'entries' | 'open'> {
  const none = { entries: [], open: false };
  if (!/[\p{L}\p{N}]/u.test(piece)) return none;
  if (piece.length > LONGEST_PIECE) return { entries: [], open: true };
  let text = withoutTitle(withoutNumber(piece.trim())).replace(FILLED_UP_WITH_WATER, '$1 $2');
  // What is done with an ingredient, or one whose name begins so: "混合生育酚 0.5". When in doubt it is told.
  if (isKnownOther(text)) return { entries: [], open: !isOfTheWhole(text) && isShortEntry(text) };
  const before = PHASE_BEFORE.exec(text);
  if (before) text = text.slice(before[0].length);
  const behind = PHASE_BEHIND.exec(text);
  if (behind) text = text.slice(0, behind.index);
  const phase = before?.[1] ?? before?.[2] ?? behind?.slice(1).find(Boolean);
  const amounts = countedAmounts(masked(text));
  const entries = amounts.length > 0 ? withAmounts(text, amounts) : inBrackets(text);
  if (entries.length > 0)
    return { entries: entries.map((entry) => ({ ...entry, ...(phase && { phase }) })), open: false };
  // A name with an amount that sounds like talk is told, too.
  return { entries: [], open: mayBeIngredient(text) || (isTalk(text) && isShortEntry(text)) };
}

/** A few words and one amount, and nothing else. */
function isShortEntry(text: string): boolean {
  const amounts = amountsIn(masked(text));
  const [amount] = amounts;
  return (
    amounts.length === 1 && amount!.end === text.length && amount!.start > 0 && text.length <= LONGEST_DOUBT
  );
}

function inBrackets(text: string): Entry[] {
  const found = bracketAmount(text);
  const names = found && namesIn(found.name);
  return names ? [{ ...names, amount: found.amount }] : [];
}

/** Between two amounts, of a name: "NaOH 10% solution 0.5". */
const OF_THE_NAME = /^[\s\ufffc]*(?:aqueous\s+)?(?:solution|sol\.|水?溶液)?[\s\ufffc]*$/iu;

/** An amount, and where the name before it ends. */
interface Counted extends AmountToken {
  readonly nameEnd: number;
}

/**
 * One amount for each name. Of two with no name between them the percentage counts, and of two of a kind the
 * last: what stands before it is the name's, as in "Polysorbate 20 1.5" and "Sorbitol 70% 5%".
 */
function countedAmounts(mask: string): Counted[] {
  const kept: Counted[] = [];
  for (const token of amountsIn(mask)) {
    const last = kept.at(-1);
    const between = last ? mask.slice(last.end, token.start) : '';
    if (!last || (/\p{L}/u.test(between) && !OF_THE_NAME.test(between))) {
      kept.push({ ...token, nameEnd: token.start });
    } else if (/\p{L}/u.test(between) || !last.text.includes('%') || token.text.includes('%')) {
      const isMass = !last.bare && !last.text.includes('%');
      kept[kept.length - 1] = { ...token, nameEnd: isMass ? last.nameEnd : token.start };
    }
  }
  return kept;
}

function withAmounts(text: string, amounts: Counted[]): Entry[] {
  const [first] = amounts;
  const nameFirst = /\p{L}/u.test(text.slice(0, first!.nameEnd));
  if (nameFirst) {
    return entriesOf(
      amounts.map(({ text: amount, nameEnd }, at) => [
        text.slice(amounts[at - 1]?.end ?? 0, nameEnd),
        amount,
      ]),
    );
  }
  const endsWithAmount = !/\p{L}/u.test(masked(text).slice(amounts.at(-1)!.end));
  // "70% Sorbitol 5": the first belongs to the name; "1 Glycerin 5": it is the line's number.
  if (endsWithAmount && amounts.length > 1) {
    return entriesOf([[text.slice(first!.bare ? first!.end : 0, amounts[1]!.start), amounts[1]!.text]]);
  }
  const found = amounts.map(({ text: amount, end }, at): [string, string] => [
    text.slice(end, amounts[at + 1]?.start),
    amount,
  ]);
  // "1 Glycerin 150": which number is the amount is not told.
  if (first!.bare && /\d\s*$/u.test(found[0]![0])) return [];
  return entriesOf(found);
}

function entriesOf(found: [name: string, amount: string][]): Entry[] {
  return found.flatMap(([name, amount]) => {
    const names = namesIn(name);
    const either = names && (names.inciName || names.chineseName);
    return either && !isKnownOther(either) && !isTalk(either) ? [{ ...names, amount }] : [];
  });
}
