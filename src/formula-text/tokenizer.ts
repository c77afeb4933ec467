import {
  inUnit,
  NO_SHARE,
  NUMBER,
  type Quantity,
  readNumber,
  SHARE_IN_WORDS,
  shareInWords,
  UNIT,
  unitOf,
} from './quantity';
import { NUMBERED_NAME, ENDS_WITH_WATER } from './names';
import words from './words.json';

interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The tokens of a line. Every character except blanks belongs to one of them:
 * - `word`: part of a name or a note, with its digits ("C12-15", "1,2-Hexanediol", "PEG/PPG-18/18")
 * - `amount`: a share, a mass, parts, a bare number, the balance, or as much as needed
 * - `measure`: another number: a temperature, a time, a size, a pH, a price, a lot, a date
 * - `volume`: an amount that is not a share: millilitres, drops, spoons, pieces
 * - `cas`: a number of the CAS or EC register
 * - `bracket`: a bracket with its content
 * - `separator`: may separate two ingredients; `mark`: may be around names and amounts
 * - `unknown`: any other text; a line that contains it is not read
 */
export type Token =
  | (Place & { readonly kind: 'word' | 'measure' | 'volume' | 'cas' | 'separator' | 'mark' | 'unknown' })
  | (Place & { readonly kind: 'bracket'; readonly inner: string; readonly isTight: boolean })
  | (Place & {
      readonly kind: 'amount';
      readonly quantity: Quantity;
      readonly isEach?: boolean;
      readonly note?: string;
    });

export type AmountToken = Extract<Token, { kind: 'amount' }>;

const LATIN = String.raw`(?!\p{Script=Han})[\p{L}\p{M}]`;
const DASH = String.raw`\-–—‐‑―−∼˜⁓~〜ー`;
/** "between 1 and 2", "介于1和2之间". */
const BETWEEN = String.raw`(?:(?:between|zwischen|entre)(?!\p{L}) |介于 ?)`;
const AND = String.raw`(?<=${BETWEEN}\d[\d.,]{0,9} ?%?)(?: (?:and|und|et|y) | ?[和与] ?)`;
const TO = String.raw`(?: ?(?:[${DASH}至到]|\.\.) ?| (?:to|bis|à|a|до) |${AND})(?:<=?|≤)? ?`;
const BOUND_IN_CHINESE = '不[超多高大]过|不[高大多低少小]于|[小少低大高多]于(?:等于)?|最[多少高低]|至[多少]';
/** Pattern of words before a number that is a bound. */
export const BOUND = String.raw`[<>≤≥]=?|=[<>]|${BOUND_IN_CHINESE}|(?:max(?:im(?:um|al))?|min(?:im(?:um|al))?|(?:less|more|no more|not more|no less|not less) than|at (?:least|most)|under|weniger als|höchstens|mindestens|moins de|menos de|maxi|mini|nmt|nlt)(?!\p{L})\.?`;
const NEARLY = String.raw`[~≈∼〜]=?|约为?|大约|(?:ca|circa|approx(?:imately)?|about|env(?:iron)?|aprox|etwa|ок|около|прибл)(?!\p{L})\.?`;
const ABOUT = String.raw`(?:(?:(?:${NEARLY}) ?)?(?<bound>${BOUND})|${NEARLY}|${BETWEEN})\s?`;

const NEEDED = String.raw`[qc]\.? ?s\.?(?: ?p\.?)?(?!\p{L})|q\.? ?b\.?(?!\p{L})|quantum sat(?:is)?|适量|適量|少许|少量|微量|as (?:needed|required)(?!\p{L})|traces?(?!\p{L})`;
const REST = String.raw`余量|余额|余額|剩余量?|其余|平衡量?|补足量?|补齐|残余|残量|残り|残(?!\p{Script=Han})|(?:balance|bal|remainder|remaining|rest|остальное)(?!\p{L})\.?`;
const FILLED_UP = String.raw`(?:(?:make up to|up to|to make|add to|to|ad|auf|bis|à|jusqu['’]à|hasta|fino a|до)(?!\p{L})|(?:加|补|补足|补加|定容)?水?(?<![热温冷却])至|[加补]到|补足到?|补齐|定容到?)[ :]{0,2}`;
const TOTAL = (name: string) =>
  String.raw`(?<${name}>${NUMBER})(?: ?(?<${name}Unit>${UNIT}))?(?! ?(?:ml|l|毫升|升)(?!\p{L})|\d)`;
/** "调pH至6.5", "to pH 6.5": as much as this adjustment needs. */
const ADJUSTED = String.raw`(?:q\.? ?s\.?,? )?(?:to (?:adjust (?:to )?)?|auf )ph(?!\p{L})(?: to)?[ :=~]{0,3}(?:\d[\d.]*(?: ?[${DASH}] ?[\d.]+)?)?|(?:适量,? ?)?调[节整]?(?:至)? ?ph(?:值)?[ :=~约至为到]{0,3}(?:\d[\d.]*(?: ?[${DASH}至到] ?[\d.]+)?)?`;
const IN_WORDS = String.raw`(?<adjusted>${ADJUSTED})|(?:(?:${NEEDED}|${REST})(?: a| para)?[ ,:]{0,2})?${FILLED_UP}${TOTAL('total')}|(?:${NEEDED}|余量|余)(?: a| para)? ?${TOTAL('of')}|(?<rest>${REST}|余(?!\p{Script=Han}))|(?<needed>${NEEDED})`;
/** Position at which an amount begins in a run of Chinese characters: "水余量", "水加至100", "甘油约5". */
const AMOUNT_AHEAD = String.raw`余量|余额|余額|剩余|其余|残余|残量|残(?![\p{Script=Han}])|平衡量|补足|补齐|适量|適量|少许|少量|微量|余(?!\p{Script=Han})|(?:加水?|补加?|定容)?水?(?<![热温冷却])[至到][ :]{0,2}\d|调[节整]?至? ?ph|[各约] ?[<>≤≥]?\d|大约|介于(?= ?\d)|(?:${BOUND_IN_CHINESE})(?= ?\d)|[百千万]分之`;

/** Grams behind an abbreviation without a number of its own: "GTCC10克". */
const GLUED_MASS = String.raw`(?<=(?<![\p{L}\d])(?!peg|ppg)[a-z]{3,6})\d{1,2}(?:\.\d{1,3})?克`;

/** Digits of a word. Does not match an amount that follows without a space: "Glycerin5%". */
const INNER_DIGITS = String.raw`(?!${GLUED_MASS})\d{1,7}(?![\d.,]{0,9} ?[%‰‱])`;
const LOCANTS = String.raw`(?!\d\d,\d[,-]|[2-9],1[,-])\d{1,2}['′’]{0,2}[a-zHNR]?(?:,(?:\d{1,2}|[A-Z])['′’]{0,2}[a-zHNR]?){0,5}-(?=[\p{L}(\[])`;
const WORD = [
  String.raw`(?:#|n[°º]|(?<!\p{L})no\.) ?\d{1,5}(?![\d.,%])`,
  String.raw`CI ?\d{5}(?::\d)?(?!\d)`,
  String.raw`\d{1,3}:\d(?![\d.%])`,
  String.raw`(?:${LOCANTS})?(?:(?![余剩其残平补适適少微加定水至到各约大不最百千万调介]|[小低高多]于)\p{Script=Han}|(?!${AMOUNT_AHEAD})\p{Script=Han})+(?:-${INNER_DIGITS}(?:/\d{1,3})*(?![.,]\d))?`,
  String.raw`(?:${LOCANTS})?${LATIN}(?:${LATIN}|${INNER_DIGITS}(?:\.\d{1,3}(?![\d%]))?|[/.&'’′-](?=\p{L})|[/-]${INNER_DIGITS}(?:,\d{1,2}(?=-\p{L}| \p{L}{3}))?|,(?=[A-Z]['′’]*-)|['’′™®©])*(?:(?<=denat|spp?|var|ext|conc|sol)\.)?`,
  // The number of a version or a shade.
  String.raw`0\d{1,3}(?![\d.,%])`,
  // The number after a bracket of the name: "Poly(1,2-Butanediol)-15".
  String.raw`(?<=[)\]])-\d{1,3}(?![\d.,%])`,
].join('|');

const MEASURE_UNIT = String.raw`(?:°|º|度|℃|℉|摄氏)[CF]?|(?:${words.latinMeasures.join('|')})(?![\p{L}\d])|${words.measures.join('|')}|% ?${NO_SHARE}`;
const VOLUME_UNIT = String.raw`(?:${words.latinVolumes.join('|')})(?!\p{L})|${words.volumes.join('|')}`;
const DATE = String.raw`\d{4}(?<ymd>[-./])\d{1,2}\k<ymd>\d{1,2}|\d{1,2}(?<dmy>[./])\d{1,2}\k<dmy>\d{2,4}|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2} \p{L}{3,9} \d{4}`;
/** Labels with a number that is not the amount of an ingredient. */
const LABELLED = String.raw`ph(?:值)?(?:(?!\p{L})|(?=[至为约]))[ :=~约至为到]{0,3}(?:to )?(?:\d[\d.]*(?: ?[${DASH}至到] ?[\d.]+)?)?|(?:spf|hlb|mw)[ :=]{0,2}\d[\d.]*|(?:draft|version|trial|step|day|week|month|stage|page|rev|tag|woche|monat|seite|ansatz|muster|semaine|jour|semana|неделя|день)\.? ?\d+(?![\d.,%])|(?:(?:lot|batch|charge|art|ref|exp)(?!\p{L})|批号|货号|编号|批次)\.?(?: ?no\.?)? ?[:#]? ?[\p{L}\d/-]{0,20}\d[\p{L}\d/-]*`;

/** The first alternative that matches is used. */
const TOKENS = new RegExp(
  [
    String.raw`(?<blank>\s+)`,
    String.raw`(?<cas>(?:(?:cas|ec|einecs)(?: ?no\.?)?[ :]{0,2})?(?:\d{2,7}-\d{2}-\d|\d{3}-\d{3}-\d)(?![\d-]))`,
    String.raw`(?<date>(?:${DATE})(?![\d%])|\d{1,2}:\d{2}(?::\d{2})?(?!\d))`,
    String.raw`(?<words>(?<!\p{Script=Latin})(?:${IN_WORDS}))`,
    String.raw`(?<share>${SHARE_IN_WORDS})`,
    String.raw`(?<measure>(?<!\p{Script=Latin})(?:${LABELLED})|[¥$€£] ?\d[\d.,]*(?: ?\/ ?\p{L}+)?)`,
    String.raw`(?<number>(?<each>(?:各|(?<!\p{L})(?:each|je|chacun))\s?)?(?:${ABOUT})?(?<percentFirst>% ?)?(?<first>${NUMBER})(?!\p{Script=Latin}{1,2}-\p{L}))`,
    String.raw`(?<word>${WORD})`,
    String.raw`(?<separator>//|[;；、，,|+]|。(?!(?<=\d。)\d)|(?<= )/(?= )|[•●○■□▪▫‣◆◇★☆※➢➤∙‧・◦◉◎►▶❖♦\ue000-\uf8ff])`,
    String.raw`(?<mark>[/&!！:=@→>_*"“”'‘’·.…${DASH}‖#†‡§^¹²³⁰⁴-⁹°™®©✓✔☑☐\x60])`,
  ].join('|'),
  'iuy',
);
const WORD_ALONE = new RegExp(WORD, 'iuy');
const NUMBER_WORD = new RegExp(String.raw`${LOCANTS}|\d{1,3}:\d(?![\d.%])|0\d{1,3}(?![\d.,%])`, 'iuy');
const FIRST_UNIT = new RegExp(String.raw`\s{0,3}${UNIT}`, 'iuy');
const SECOND = new RegExp(String.raw`(?<to>${TO})(?<number>${NUMBER})(?<unit> ?${UNIT})?`, 'iuy');
const TOLERANCE = new RegExp(String.raw` ?(?:±|\+/-) ?${NUMBER}(?<unit> ?${UNIT})?`, 'iuy');
const ABOUT_BEHIND = / ?(?:左右|之间|(?<max>以内|max(?:imum)?(?!\p{L})\.?))/iuy;
const OTHER_UNIT = new RegExp(
  String.raw`\s?(?:(?<measure>${MEASURE_UNIT})|(?<volume>${VOLUME_UNIT}))(?: ?/ ?\p{L}+)?`,
  'iuy',
);
/** Characters after a number that make it part of a word, or a token that is not understood. */
const GLUED = /(?:(?!\p{Script=Han})\p{L}|万)[\p{L}\d]*|[%‰‱?\d⁄∕]|[.·](?=[\d?%])|[-/](?=[\p{L}\d])/uy;

const OPENING = '([{';
const CLOSING = ')]}';

/** Splits a line into tokens. Each character is examined a bounded number of times. */
export const tokenize = (text: string): Token[] => [...tokensOf(text)];

/** Yields the tokens one by one, so that the caller can stop early. */
export function* tokensOf(text: string): Generator<Token, void, void> {
  const ends = closings(text);
  for (let index = 0; index < text.length;) {
    const close = ends.get(index);
    const token = close === undefined ? tokenAt(text, index) : bracketAt(text, index, close);
    index = token.end;
    if (token.text.trim() !== '') yield token;
  }
}

/** Returns the positions of closing brackets by the positions of their opening brackets. */
function closings(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (OPENING.includes(text[at]!)) open.push(at);
    else if (CLOSING.includes(text[at]!)) {
      const start = open.at(-1);
      if (start === undefined || OPENING.indexOf(text[start]!) !== CLOSING.indexOf(text[at]!)) continue;
      open.pop();
      if (at - start <= 200) ends.set(start, at);
    }
  }
  return ends;
}

function bracketAt(text: string, start: number, close: number): Token {
  const isTight = start > 0 && /[\p{L}\d]/u.test(text[start - 1]!);
  return {
    kind: 'bracket',
    start,
    end: close + 1,
    text: text.slice(start, close + 1),
    inner: text.slice(start + 1, close),
    isTight,
  };
}

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

/** A Chinese character that begins a word and no amount in words, as most do. */
const PLAIN_HAN =
  /(?![余剩其残平补适適少微加定水至到各约大不最百千万调批货编介]|[小低高多]于)\p{Script=Han}/uy;
const BLANK = /\s+/uy;

function tokenAt(text: string, start: number): Token {
  PLAIN_HAN.lastIndex = start;
  if (PLAIN_HAN.test(text)) return wordAt(text, start);
  BLANK.lastIndex = start;
  if (BLANK.test(text)) {
    return { kind: 'mark', start, end: BLANK.lastIndex, text: text.slice(start, BLANK.lastIndex) };
  }
  const match = at(TOKENS, text, start);
  if (!match) return { kind: 'unknown', start, end: start + 1, text: text[start]! };
  const groups = match.groups!;
  const place = { start, end: start + match[0].length, text: match[0] };
  if (groups.words) return inWordsOf(place, groups);
  if (groups.share) {
    const value = { value: shareInWords(match[0]) };
    return { kind: 'amount', ...place, quantity: { kind: 'number', low: value, high: value, unit: '%' } };
  }
  if (groups.number) return numberAt(text, place, groups);
  const kind = (['cas', 'word', 'separator'] as const).find((name) => groups[name]);
  return { kind: kind ?? (groups.date || groups.measure ? 'measure' : 'mark'), ...place };
}

/** Returns the token of an amount in words. A balance can be filled up to 100 % or to a mass only. */
function inWordsOf(place: Place, groups: Record<string, string | undefined>): Token {
  const amount = (quantity: Quantity): Token => ({ kind: 'amount', ...place, quantity });
  if (groups.adjusted) return { ...amount({ kind: 'as-needed' }), note: place.text.trim() } as Token;
  if (groups.needed) return amount({ kind: 'as-needed' });
  const total = groups.total ?? groups.of;
  if (!total) return amount({ kind: 'balance' });
  const written = groups.totalUnit ?? groups.ofUnit ?? '%';
  const { number, unit } = inUnit(readNumber(total, isMassUnit(written)), written);
  if (unit === '%' && number.value !== 100) return { kind: 'unknown', ...place };
  return amount({ kind: 'balance', target: number.value, unit });
}

const isMassUnit = (written: string | undefined): boolean =>
  written !== undefined && unitOf(written)![0] === 'g';

function numberAt(text: string, place: Place, groups: Record<string, string | undefined>): Token {
  const { start } = place;
  const token = (kind: 'unknown' | 'word' | 'measure' | 'volume', to: number): Token => ({
    ...{ kind, start, end: to, text: text.slice(start, to) },
  });
  let first = groups.first!;
  let end = place.end;
  const ratio = /^(\d+)[/](\d+)$/u.exec(first);
  // "PL 68/50" is not a fraction.
  if (ratio && Number(ratio[1]) >= Number(ratio[2])) return token('word', end);
  if (at(NUMBER_WORD, text, start)) return wordAt(text, start);
  const before = text.slice(Math.max(0, start - 30), start);
  const isNumbered = () => NUMBERED_NAME.test(before);
  if (/\d \S/u.test(first)) {
    if (isNumbered()) {
      end -= first.length - first.indexOf(' ');
      first = first.slice(0, first.indexOf(' '));
    } else if (!/[/⁄∕¼-¾⅐-⅞]/u.test(first) && !mayBeGroup(before, at(FIRST_UNIT, text, end)?.[0]))
      return token('unknown', end);
  }
  // Shortcut: most numbers end their cell or piece.
  const isLast = /[,;，；、。)|\]\t]/u.test(text[end] ?? ',');
  const behind = (pattern: RegExp) => (isLast ? null : at(pattern, text, end));
  let written = behind(FIRST_UNIT)?.[0];
  end += written?.length ?? 0;
  const second = behind(SECOND);
  const unitOfSecond = second?.groups!.unit;
  const isSpaced = second !== null && /\s/u.test(second.groups!.to!);
  const isOfOneUnit = !written || !unitOfSecond || unitOf(written)![0] === unitOf(unitOfSecond)![0];
  let high: string | undefined;
  if (second && isOfOneUnit && !(isSpaced && isNumbered())) {
    const isRange = readNumber(first, false).value <= readNumber(second.groups!.number!, false).value;
    if (!isRange && !isSpaced) return token('unknown', end + second[0].length);
    if (isRange) {
      high = second.groups!.number!;
      end += second[0].length;
    }
  }
  const tolerance = behind(TOLERANCE);
  end += tolerance?.[0].length ?? 0;
  written ??= high === undefined ? undefined : unitOfSecond;
  written ??= tolerance?.groups!.unit ?? (groups.percentFirst ? '%' : undefined);
  const about = at(ABOUT_BEHIND, text, end);
  end += about?.[0].length ?? 0;
  const bound = groups.bound ?? (about?.groups!.max ? '≤' : undefined);
  const other = written ? null : behind(OTHER_UNIT);
  if (other) {
    // A rate such as `10 mL/min`; but `10 mL/L` and `10 mL/kg` are amounts.
    const isRate = /^[^/]*[^rg/]\/(?! ?(?:m?l|k?g)$)/iu.test(other[0]);
    const isMeasure = other.groups!.measure || isRate;
    return token(isMeasure ? 'measure' : 'volume', end + other[0].length);
  }
  const glued = at(GLUED, text, end);
  if (glued) return token(/^\p{L}/u.test(glued[0]) && !written ? 'word' : 'unknown', end + glued[0].length);
  // A fraction without a unit is a ratio.
  if ((!written && /^\d+\//u.test(first)) || isGarbled(text, start, end)) return token('unknown', end);
  const read = (number: string) => {
    const value = readNumber(number, isMassUnit(written));
    return written === undefined ? { number: value, unit: undefined } : inUnit(value, written.trim());
  };
  const { number: low, unit } = read(first);
  // A name with an amount of 0 is not an ingredient.
  if (low.value === 0 && high === undefined && !/^ \d/u.test(text.slice(end, end + 2)))
    return token('unknown', end);
  return {
    ...{ kind: 'amount', start, end, text: text.slice(start, end) },
    quantity: {
      kind: 'number',
      low,
      high: high === undefined ? low : read(high).number,
      ...(unit && { unit }),
      ...(bound && { bound }),
      ...(tolerance && { tolerance: tolerance[0].trim() }),
    },
    ...(groups.each && { isEach: true }),
  };
}

/** Matches errors such as "S.0", "l0 %" and "−2", and several numbers: "2 x 10 g", "5 → 7 %". */
const isGarbled = (text: string, start: number, end: number): boolean =>
  /[\p{L}\d]\.$|(?<![\p{L}\d])[A-Za-z]$|(?<=\s)[−-]$|~~$/u.test(
    /\d/u.test(text[start]!) ? text.slice(Math.max(0, start - 2), start) : '',
  ) || /^ ?(?:[x×*] ?\d|[+→] ?\d|->|~~)/iu.test(text.slice(end, end + 4));

function wordAt(text: string, start: number): Token {
  const match = at(WORD_ALONE, text, start);
  if (!match) return { kind: 'unknown', start, end: start + 1, text: text[start]! };
  return { kind: 'word', start, end: start + match[0].length, text: match[0] };
}

/** Returns true if a blank may separate thousands: in a mass, at the beginning or after water: "Water 1 250 g". */
const mayBeGroup = (before: string, unit: string | undefined): boolean =>
  isMassUnit(unit) && (before.trim() === '' || ENDS_WITH_WATER.test(before.trim()));
