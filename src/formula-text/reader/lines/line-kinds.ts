import words from './line-words.json';

const startsWith = (alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join('|')})`, 'iu');

/** Text that may follow the name of a total or of a property of the formula, but not the name of an ingredient. */
const VALUE = String.raw`(?=\s*(?:$|[\d:(#=+,，;<>≤≥~%$¥€£]|[值为是]|no\b|nr\b|size\b|name\b|of\b|is\b|[A-H]\b|phase\b))`;
const TOTAL = new RegExp(
  String.raw`^(?:(?:sub-?\s?total|grand total|total|sum)(?!\p{L})|合\s?[计計]|总\s?计|(?:итого|всего|summe|gesamt|somme|totale|suma|razem)(?!\p{L})|总\s?量|总\s?重|共\s?计|小\s?计|总和)${VALUE}`,
  'iu',
);
const PROPERTY = new RegExp(
  [
    String.raw`^(?:(?:${words.latinProperties.join('|')})(?!\p{L})|${words.properties.join('|')})${VALUE}`,
    ...words.otherProperties,
  ].join('|'),
  'iu',
);
/** Matches an ingredient that adjusts a property, such as "pH adjuster". */
const ADJUSTS = /^ph\s*值?\s*(?:adjust|regul|balanc|buffer|调节|调整|缓冲)/iu;
const PROCEDURE = startsWith(words.procedures);
const SIGN_OFF = startsWith(words.signOffs);
const GREETING = startsWith(words.greetings);
const SENTENCE_END = /[.!?。!?:~]$/u;
/** Words of conversations, which do not occur in names. */
const TALK = new RegExp(words.talk.join('|'), 'iu');
/** Verbs for the processing of ingredients, anywhere in a line. */
const WORK = new RegExp(words.work.join('|'), 'iu');
/** Text that is too long for a name without an amount, or that contains a time of day. */
const PROSE = /\p{Script=Han}{16}|\p{Script=Han}{3}[,，]\p{Script=Han}{3}|\d:\d/u;

/** Returns true for totals, properties and procedures. They are not ingredients, even if they contain a number. */
export function isKnownOther(text: string): boolean {
  const plain = text.replace(/^(?:\s|[-*•·>([【]|(?:\d{1,2}|[a-z])[.)、](?!\d))+/u, '');
  return TOTAL.test(plain) || (PROPERTY.test(plain) && !ADJUSTS.test(plain)) || PROCEDURE.test(plain);
}

/** Returns true for a total or a property, whose number describes the entire formula. */
export const isOfTheWhole = (text: string): boolean => TOTAL.test(text) || PROPERTY.test(text);
export const isProcedure = (text: string): boolean => PROCEDURE.test(text);
export const isTalk = (text: string): boolean => TALK.test(text);
export const isSignOff = (text: string): boolean => SIGN_OFF.test(text);

/** Returns true if a line without an amount may name an ingredient, provided that it is among ingredients. */
export const mayBeIngredient = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !isKnownOther(text) &&
  !(SENTENCE_END.test(text) && !/[\s?]\?$/u.test(text)) &&
  !WORK.test(text) &&
  !isTalk(text) &&
  !PROSE.test(text) &&
  !GREETING.test(text) &&
  !isSignOff(text) &&
  text.length <= 60 &&
  text.split(/\s+/u).length <= 7;

/** Mark of a phase: a letter with an optional digit, a number, or a Roman numeral. */
const MARK = String.raw`[A-ZА-Я]\d?|\d{1,2}|[IVX]{1,4}`;
const HEADING = new RegExp(
  [
    String.raw`(?:phase|fase|faza|fáze|fázis|фаза|часть|part|partie|parte|teil|stage|stufe|étape|step(?=\s*\d{1,2}\s*:?$)|相|组)\s*[:#-]?\s*(?<first>${MARK})(?![\p{L}\d])(?:\s*相)?`,
    String.raw`(?<letter>${MARK}|[甲乙丙丁戊])\s*(?:相|部分?|组分?|料|剂|phase\b)(?!\p{L})`,
    String.raw`(?<compound>(?:wasser|fett|öl|kalt|heiß|emulsions)phase)(?!\p{L})`,
    String.raw`(?:phase|fase)\s+(?<romance>aqueuse|huileuse|grasse|froide|acuosa|oleosa|grasa|acquosa|grassa|oleosa|aquosa)(?!\p{L})`,
    String.raw`(?<chinese>\p{Script=Han}{1,5}相|(?:后|最后|冷却后)?添加(?=\s*:?$)|后加(?=\s*:?$)|其[他它](?=\s*:(?:\s*$|[^:]*\d)))(?:原料|部分|组分|成分)?(?![\p{Script=Han}])`,
    String.raw`(?<word>[a-z]+(?:[ -][a-z]+)?)\s+phase(?=\s*(?:$|[:([=*#-]))`,
  ].join('|'),
  'iuy',
);
const DECORATION = String.raw`[\s#=*_~<>【】《》\[\]|—–-]`;
const LONGEST_DECORATED = 60;
const DECORATED_LETTER = new RegExp(
  String.raw`^(?:${DECORATION}*[\[【(]?\s*(${MARK})\s*[\])】]?${DECORATION}*:?${DECORATION}*)$`,
  'u',
);

const BEFORE_HEADING = new RegExp(
  `^(?:${DECORATION}|[IVX]{1,4}[.、]\\s?(?=\\p{Script=Han}|[Pp]hase|[Ff]ase)|[一二三四五六七八九十]{1,2}[、.]|[(][一二三四五六七八九十][)])+`,
  'u',
);

export interface Heading {
  readonly phase: string;
  /** The text after the heading in the same line. */
  readonly rest: string;
}

/** Returns the phase that a line names as a heading or before its first ingredient. */
export function headingOf(line: string): Heading | undefined {
  const letter = line.length <= LONGEST_DECORATED ? DECORATED_LETTER.exec(line) : null;
  if (letter && /[A-Z]/u.test(letter[1]!)) return { phase: letter[1]!, rest: '' };
  const text = line.replace(BEFORE_HEADING, '');
  HEADING.lastIndex = 0;
  const match = HEADING.exec(text);
  if (!match) return undefined;
  const { first, letter: before, chinese, word, compound, romance } = match.groups!;
  const phase = first ?? before ?? compound ?? romance ?? chinese ?? word!;
  const rest = text.slice(match[0].length).replace(/^(?:\s*\([^()]*\))?[\s:)\]】*|=#、.—–-]*/u, '');
  return { phase, rest };
}
