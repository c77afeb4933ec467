import type { Limit, LimitKind } from './limit.entity';
import type { RefusalCode } from '../regulations.texts';
import { casFault, plainNumber } from '../../ingredients/raw-materials/registry-numbers';
import Big from 'big.js';

/** A row that was read from a table of limits, before it is stored. */
export type LimitDraft = Omit<Limit, 'id' | 'editionId'> & {
  /** Line of the row in the file, as its reader counts. */
  readonly line: number;
};

/** A draft whose scope and sum have not been interpreted. */
export interface RawLimit extends Omit<LimitDraft, 'productTypes' | 'sumGroup'> {
  /** Given by the file itself; absent if it follows from the scope. */
  readonly productTypes?: Limit['productTypes'];
  readonly sumGroup?: string | null;
  /** The description of a sum, in the words of the file. */
  readonly sum: string | null;
}

/** Thrown while a row is read. */
export class RefusedCell extends Error {
  override readonly name = 'RefusedCell';

  constructor(
    readonly reason: RefusalCode,
    /** The field of the cell; its column may have another name. */
    readonly field?: string,
    readonly value?: string,
  ) {
    super(reason);
  }
}

const CAS_NUMBER = /(?<![\d-])\d{2,7}-\d{2}-\d(?![\d-])/g;
/** Marks of footnotes that `substanceKey` does not know: `(1)`, `[2]`. */
const FOOTNOTE = /\s*(?:\(\d{1,2}\s?\)|\[\d{1,2}\])$/;
const SOFT_HYPHEN = /\u00ad/g;

/** On one line, without soft hyphens. */
export const oneLine = (text: string): string => text.replace(SOFT_HYPHEN, '').replace(/\s+/g, ' ').trim();

/** Most characters of a name: an index holds it. */
export const MAX_NAME = 500;

/**
 * Names without the marks of footnotes, each once. A dash is no name.
 * @throws RefusedCell for a name that is too long
 */
export function namesOf(parts: readonly string[]): string[] {
  const names = parts
    .map((part) => oneLine(part).replace(FOOTNOTE, '').trim())
    .filter((name) => /[\p{L}\p{N}]/u.test(name));
  const tooLong = names.find((name) => name.length > MAX_NAME);
  if (tooLong !== undefined) throw new RefusedCell('too-long', 'inciNames', tooLong);
  return [...new Set(names)];
}

/** The CAS numbers within a text, each once; what only looks like one is left out. */
export const casNumbersIn = (text: string): string[] => [
  ...new Set((plainNumber(text).match(CAS_NUMBER) ?? []).filter((number) => casFault(number) === undefined)),
];

const NUMBER = /^\d+(?:[.,]\d+)?$/;
/** `1,000` may be a thousand; `0,001` cannot. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;

/** How many of a unit are one percent. */
const PER_PERCENT: Record<string, number> = { '%': 1, '‰': 10, 'g/kg': 10, ppm: 1e4, 'mg/kg': 1e4 };
export const LIMIT_UNIT = /%|‰|g\/kg|ppm|mg\/kg/;
const AT_END = new RegExp(`\\s*(${LIMIT_UNIT.source})\\s*$`);

/**
 * A percentage in plain decimal notation, from a number with or without its unit. A comma is a decimal comma where it
 * can be nothing else.
 * @throws RefusedCell
 */
export function percentOf(text: string, field: string): string {
  const unit = AT_END.exec(text)?.[1] ?? '%';
  const plain = text.replace(AT_END, '').trim();
  if (MAYBE_THOUSANDS.test(plain)) throw new RefusedCell('ambiguous-comma', field, text);
  if (!NUMBER.test(plain)) {
    const isSeveral = (plain.match(/\d+(?:[.,]\d+)?/g)?.length ?? 0) > 1;
    throw new RefusedCell(isSeveral ? 'two-numbers' : 'not-one-number', field, text);
  }
  const number = new Big(plain.replace(',', '.')).div(PER_PERCENT[unit]!);
  if (number.lte(0) || number.gt(100)) throw new RefusedCell('not-one-number', field, text);
  return number.toFixed();
}

/** The meaning of the words beside a number. */
export interface Unit {
  /** Undefined if the table determines it. */
  readonly kind?: LimitKind;
  readonly hasLimit: boolean;
  readonly basis: string | null;
  /** The description of a sum, in words. */
  readonly sum: string | null;
}

const PLAIN: Unit = { hasLimit: true, basis: null, sum: null };

/** Words of a sum, after a comma or a blank. */
const SUM =
  /^(?:sum(?: (?:of|with) .+)?|all uses of .+ together|alone or combined with .+|.+ alone or with .+|[^,]+ \+ [^,]+)$/;
const BASIS = /^(?:(?:expressed |calculated )?as|of(?: the)?) (?<basis>[^,%]+)$/i;
const IN_BRACKETS = /^\((?<inner>[^()]+)\)$/;

/** Returns the basis that words such as `as acid`, `(expressed as acid)` or `(acid)` name. */
export function basisIn(words: string): string | undefined {
  const inner = IN_BRACKETS.exec(words)?.groups?.inner;
  const { basis } = BASIS.exec(inner ?? words)?.groups ?? {};
  return basis ?? (inner && /^\p{L}+$/u.test(inner) ? inner : undefined);
}

/** Bases without a word such as `as`. */
const BARE_BASES: Readonly<Record<string, string>> = {
  'retinol equivalent': 'retinol',
  'H2O2 present or released': 'H2O2 present or released',
  'after mixing': 'after mixing',
};

/**
 * Interprets the words after a number: `%`, `% as acid, sum of esters`.
 * @throws RefusedCell for words that are not all known
 */
export function unitOf(text: string): Unit {
  if (text === 'prohibited') return { ...PLAIN, kind: 'prohibited', hasLimit: false };
  if (text === 'no percentage given') return { ...PLAIN, hasLimit: false };
  if (/^% declaration threshold(?:, not a maximum)?$/.test(text)) return { ...PLAIN, kind: 'declare-above' };
  if (!text.startsWith('%')) throw new RefusedCell('unknown-unit', 'unit', text);
  if (/\d\s*%/.test(text)) throw new RefusedCell('two-numbers', 'unit', text);

  const [first = '', ...others] = text
    .slice(1)
    .split(',')
    .map((part) => part.trim());
  let unit = PLAIN;
  if (first !== '') unit = partOf(unit, first, text);
  for (const other of others) unit = partOf(unit, other, text);
  return unit;
}

function partOf(unit: Unit, part: string, text: string): Unit {
  // The limit of a single member applies to each one separately.
  if (part === 'single ester') return unit;
  if (SUM.test(part) && unit.sum === null) return { ...unit, sum: part };
  const basis = BARE_BASES[part] ?? basisIn(part);
  if (basis === undefined || unit.basis !== null) throw new RefusedCell('unknown-unit', 'unit', text);
  // An equivalent of one substance sums all substances that are equivalent to it.
  return { ...unit, basis, sum: part.endsWith(' equivalent') ? `sum as ${part}` : unit.sum };
}

/** `(a) Rinse-off products` of a cell with several: by its letter, with what follows up to the next. */
const LETTER = /(?:^|\n|\s)\(?([a-n])\)\s*/g;

/**
 * The lettered parts of a cell. Undefined for a cell without letters, and for one whose letters are not in order or
 * have text before them.
 */
export function tiersIn(text: string): ReadonlyMap<string, string> | undefined {
  const marks = [...text.matchAll(LETTER)];
  if (marks.length === 0 || text.slice(0, marks[0]!.index).trim() !== '') return undefined;
  const tiers = new Map<string, string>();
  let last = '';
  for (const [at, mark] of marks.entries()) {
    const letter = mark[1]!;
    if (letter <= last) return undefined;
    last = letter;
    const part = text.slice(mark.index + mark[0].length, marks[at + 1]?.index ?? text.length).trim();
    // `(a) and (b) 1 %`
    if (/^(?:and|,|to)?$/.test(part)) return undefined;
    tiers.set(letter, part);
  }
  return tiers;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The limit itself begins; not the date of an impurity or of products on the shelf. */
const PLACED =
  /^(?:new (?:wording|limit): |in force for )?placing on the market (?:from|since) (\d\d)\/(\d\d)\/(\d{4})\b/;
const IN_WORDS =
  /^From (\d{1,2}) ([A-Z][a-z]+) (\d{4}) cosmetic products containing that substance and not complying with the conditions shall not be placed on the Union market/;

/** The day from which products placed on the market must keep to a limit, where its conditions say exactly one. */
export function beginsOn(conditions: string | null): string | null {
  const days = (conditions ?? '').split(/;\s*|\n+/).flatMap((part) => {
    const numbers = PLACED.exec(part.trim());
    if (numbers) return [dayOf(Number(numbers[3]), Number(numbers[2]), Number(numbers[1]))];
    const words = IN_WORDS.exec(part.trim());
    return words ? [dayOf(Number(words[3]), MONTHS.indexOf(words[2]!) + 1, Number(words[1]))] : [];
  });
  return days.length === 1 ? (days[0] ?? null) : null;
}

/** Splits `As from 3 June 2021: 0,5 %`. Without such a beginning, `rest` is all of it. */
export function beginningIn(text: string): { day?: string; rest: string } {
  const [, date, month, year, rest] = /^As from (\d{1,2}) ([A-Z][a-z]+) (\d{4}):? (.+)$/.exec(text) ?? [];
  const day = dayOf(Number(year), MONTHS.indexOf(month ?? '') + 1, Number(date));
  return day === undefined || rest === undefined ? { rest: text } : { day, rest };
}

/** A day as `2026-12-31`; undefined for one that the calendar does not have. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    year >= 1900 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

/** Reads `2026-12-31`, or `31/12/2026`. */
export function readDay(text: string): string | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:T00:00:00(?:\.000)?Z)?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const european = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  return european ? dayOf(Number(european[3]), Number(european[2]), Number(european[1])) : undefined;
}

/** The kind and purpose of a region's list. */
interface AnnexList {
  readonly kind: LimitKind;
  readonly purpose: string | null;
}

const EU_LISTS: Readonly<Record<string, AnnexList>> = {
  II: { kind: 'prohibited', purpose: null },
  IV: { kind: 'permitted-only', purpose: 'colorant' },
  V: { kind: 'permitted-only', purpose: 'preservative' },
  VI: { kind: 'permitted-only', purpose: 'UV filter' },
};

/** Tables of the Chinese Safety and Technical Standards for Cosmetics, by number. */
const CN_LISTS: Readonly<Record<string, AnnexList>> = {
  1: { kind: 'prohibited', purpose: null },
  2: { kind: 'prohibited', purpose: null },
  4: { kind: 'permitted-only', purpose: 'preservative' },
  5: { kind: 'permitted-only', purpose: 'UV filter' },
  6: { kind: 'permitted-only', purpose: 'colorant' },
  7: { kind: 'permitted-only', purpose: 'hair dye' },
};

function listOf(region: string, annex: string): AnnexList | undefined {
  const lists = region === 'cn' ? CN_LISTS : EU_LISTS;
  const name = region === 'cn' ? (/\btable (\d)$/.exec(annex)?.[1] ?? '') : annex;
  return Object.hasOwn(lists, name) ? lists[name] : undefined;
}

/** Returns the kind of a row that does not state it. */
export const tableKind = (region: string, annex: string): LimitKind =>
  listOf(region, annex)?.kind ?? 'maximum';

export const purposeOf = (region: string, annex: string): string | null =>
  listOf(region, annex)?.purpose ?? null;

/** A row of a file: its cells by field, trimmed; a cell that the file does not have is empty. */
export interface LimitRow {
  readonly line: number;
  readonly cell: (field: LimitField) => string;
}

/**
 * Columns of all the tables that can be read, by field. `required` is the one that all of them have; `max` are the
 * characters of a cell, where less than `MAX_CELL` is enough.
 */
export const LIMIT_COLUMNS = [
  { field: 'region', aliases: [], max: 20 },
  { field: 'annex', aliases: [], max: 100 },
  { field: 'entry', aliases: ['Reference Number'], max: 50 },
  { field: 'tier', aliases: [], max: 50 },
  { field: 'substance', aliases: [], pattern: /^chemicalname(?:inn|innxan)?$/ },
  {
    field: 'inciNames',
    aliases: [
      'inciName',
      'Name of Common Ingredients Glossary',
      'Colour index Number / Name of Common Ingredients Glossary',
    ],
  },
  { field: 'casNumbers', aliases: ['cas', 'CAS Number', 'casNumber'], required: true },
  { field: 'kind', aliases: [], max: 50 },
  { field: 'productTypes', aliases: ['productType'], max: 1000 },
  { field: 'scope', aliases: ['productScope', 'Product Type, body parts'], max: 1000 },
  { field: 'limitPercent', aliases: [], max: 100 },
  { field: 'unit', aliases: ['unit/as'], max: 300 },
  { field: 'basis', aliases: [], max: 200 },
  { field: 'factor', aliases: [], max: 50 },
  { field: 'sumGroup', aliases: [], max: 200 },
  { field: 'purpose', aliases: [], max: 200 },
  { field: 'conditions', aliases: ['condition'] },
  { field: 'validFrom', aliases: [] },
  { field: 'validUntil', aliases: [] },
  { field: 'source', aliases: [], max: 2000 },
  { field: 'ecNumber', aliases: ['EC Number'] },
  { field: 'maximum', aliases: ['Maximum concentration in ready for use preparation'], max: 2000 },
  { field: 'other', aliases: [] },
  { field: 'wording', aliases: ['Wording of conditions of use and warnings'] },
  { field: 'regulation', aliases: [] },
  { field: 'identified', aliases: ['Identified INGREDIENTS or substances e.g.'] },
  { field: 'updated', aliases: ['Update date'] },
] as const;

export type LimitField = (typeof LIMIT_COLUMNS)[number]['field'];
