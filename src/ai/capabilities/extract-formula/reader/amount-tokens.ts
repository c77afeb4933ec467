/** An amount as it stands in a piece of text. */
export interface AmountToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Nothing but a number, which may as well be part of a name: the 20 of "Polysorbate 20". */
  readonly bare: boolean;
}

/** "< 0.1", "约3", "ca. 2": before a number, where it counts as the number. */
const ABOUT = /(?:[<>≤≥~≈]=?|约为?|大约|(?<!\p{L})(?:ca|approx|about|max|min)\.?) ?$/iu;
const LONGEST_ABOUT = 8;

const DIGITS = String.raw`(?:\d{1,3}(?:,\d{3}){1,2}(?= ?[gm])|\d{1,6}(?:[.,]\d{1,6})?|\.\d{1,6})`;
const TO = String.raw` ?(?:[-–—~至到]|to\b) ?[<>≤≥]?`;
const MASS = String.raw`(?:(?:kg|mg|grams?|gr?)(?![\p{Script=Latin}\d])|千克|公斤|毫克|克)`;
const UNIT = String.raw`(?:(?:wt\.?|w\/w|m\/m)? ?%(?: ?\(?(?:w\/w|wt|m\/m)(?!\p{L})\)?)?|${MASS}|parts?(?!\p{L})|pph(?!\p{L})|份)`;
/** Behind the number of a temperature, a time, a speed, a volume, a price: of no amount. */
const OTHER_UNIT = String.raw` ?(?:[℃°º度¥$€£#]|滴|勺|斤|两|吨|盎司|盒|瓶|箱|摄氏|分钟?|小时|秒|转|毫升|升|微米|目|天|个|年|月|日|道尔顿|次|步|批|号|款|版|元|(?:c|min|minutes?|h|hrs?|hours?|sec|seconds?|s|rpm|cps?|m?pa(?:[·.]?s)?|ml|l|[nuμ]?m|[mc]m|cst|k?da|days?|weeks?|months?|years?|ppm|bar|cfu|drops?|tsp|tbsp|cups?|oz|lbs?|iu)(?!\p{L}))`;

/**
 * A number with a unit, or a bare one. It begins with no part of a word ("C12"), of a name ("PEG-40",
 * "18/18"), of another number or of a time of day.
 */
const NUMBER = new RegExp(
  String.raw`(?<![\d.,±¥$€£]|[\p{Script=Latin}\d][-/]|[%?](?=\.)|[¥$€£±] )(?:` +
    String.raw`${DIGITS}(?: ?${UNIT})?(?:${TO}${DIGITS})? ?(?:± ?${DIGITS} ?)?${UNIT}|` +
    String.raw`(?<bare>(?<!\p{Script=Latin}|\p{L}-|\d:)${DIGITS}(?:${TO}${DIGITS})?(?: ?± ?${DIGITS})?(?![\d%\p{Script=Latin}]|[.,][%\d?]|\/\d|-[\p{L}\d]|[,:]\d|${OTHER_UNIT})))`,
  'giu',
);

const NEEDED = String.raw`(?<!\p{L})q\.? ?s\.? ?p?\.?(?!\p{L})`;
const BALANCE_WORD = String.raw`余量|余额|剩余量?|其余|平衡量?|补足量|(?<!\p{L})(?:balance|bal|remainder|remaining|rest)(?!\p{L})\.?`;
const FILLED_UP = String.raw`(?:(?<!\p{L})(?:make up to|up to|to make|add to|to|ad)(?!\p{L})|(?:加|补|补足|补加|定容)?水?(?<![热温冷却])至|[加补]到|补足到?|补齐|定容到)[ :]{0,2}`;
/** What a line is filled up to: 100, of whatever unit, or a mass. */
const TOTAL = String.raw`(?:100(?:[.,]0{1,4})?(?!\d|[.,]\d)(?: ?${UNIT})?|${DIGITS} ?${MASS})`;
const AS_NEEDED = String.raw`quantum sat(?:is)?|适量|適量|少许|少量|微量|(?<!\p{L})(?:as (?:needed|required)|traces?)(?!\p{L})`;

/** The balance, and as much as is needed. */
const WORDS = new RegExp(
  [
    String.raw`(?:(?:${NEEDED}|${BALANCE_WORD}|适量)[ ,:(]{0,2})?${FILLED_UP}${TOTAL}\)?`,
    String.raw`(?:${NEEDED}|余量|余)[ (]{0,2}${TOTAL}\)?`,
    `${BALANCE_WORD}|补足|补齐|${NEEDED}|${AS_NEEDED}`,
  ].join('|'),
  'giu',
);
/** Most texts have none of them, and most of the time would go into looking for them. */
const MAY_HAVE_WORDS =
  /[余剩平补加定至适適少微]|q\.? ?s|\bbal|\brem|\brest|\bto\b|\bad\b|\bup\b|quantum|trace|as [nr]e/iu;

/** So much before a number tells what it is of. */
const LONGEST_BEFORE = 20;

/** A bare number above is no percentage: a colour index, a year, a batch; and no share is more. */
const MOST_PERCENT = 100;

/** What names are written with a number behind them that is no amount. */
const NUMBERED =
  /(?:polysorbate|tween|span|sorbitan|peg|ppg|carbomer|carbopol|quaternium|polyquaternium|\bci|yellow|red|blue|orange|green|吐温|司盘|聚山梨醇酯|聚季铵盐|聚乙二醇|卡波姆?|draft|version|\bv|\bno\.?|\bnr\.?|step|day|第)[\s-]?$/iu;

/** Of a number that is a property of the whole. */
const PROPERTY_BEFORE = /(?:\bph|spf|hlb)(?:值|\([^()]*\))?\s*[=:~]?\s*$/iu;

/** All amounts in a text, in its order. Each pattern is bounded: the time is linear in the text. */
export function amountsIn(text: string): AmountToken[] {
  const words = MAY_HAVE_WORDS.test(text) ? matchesOf(WORDS, text).map((match) => tokenOf(match, false)) : [];
  if (!/\d/u.test(text)) return words;
  const tokens = [...words];
  let next = 0;
  for (const match of matchesOf(NUMBER, text)) {
    while (words[next] && words[next]!.end <= match.index) next++;
    if (words[next] && words[next]!.start < match.index + match[0].length) continue;
    const bare = match.groups?.bare !== undefined;
    const before = text.slice(Math.max(0, match.index - LONGEST_BEFORE), match.index);
    if (bare && !canBePercent(match[0], before)) continue;
    // Of no whole: the line is told as not read.
    if (match[0].includes('%') && valueOf(match[0]) > MOST_PERCENT) continue;
    const about = ABOUT.exec(before.slice(-LONGEST_ABOUT))?.[0] ?? '';
    const { start, ...token } = tokenOf(match, bare);
    tokens.push({ ...token, text: about + token.text, start: start - about.length });
  }
  return tokens.sort((a, b) => a.start - b.start);
}

/** As `matchAll`, which makes a new expression of a long one each time. */
function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) matches.push(match);
  return matches;
}

function tokenOf(match: RegExpExecArray, bare: boolean): AmountToken {
  const text = match[0].trimEnd();
  return { text, start: match.index, end: match.index + text.length, bare };
}

/** The first number of an amount. */
const valueOf = (amount: string): number => Number(/[\d.,]+/u.exec(amount)![0].replace(',', '.'));

function canBePercent(number: string, before: string): boolean {
  if (valueOf(number) > MOST_PERCENT || PROPERTY_BEFORE.test(before)) return false;
  return !(/^\d+$/u.test(number) && (NUMBERED.test(before) || /^0\d/u.test(number)));
}

/** The amount that a text consists of, if it is nothing else. */
export function wholeAmount(text: string): string | undefined {
  const trimmed = text.trim();
  const [first] = amountsIn(trimmed);
  return first?.start === 0 && first.end === trimmed.length ? trimmed : undefined;
}
