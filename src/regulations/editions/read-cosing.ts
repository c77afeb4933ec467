import type { LimitKind } from './limit.entity';
import {
  beginningIn,
  beginsOn,
  casNumbersIn,
  LIMIT_UNIT,
  MAX_NAME,
  namesOf,
  oneLine,
  percentOf,
  purposeOf,
  type RawLimit,
  RefusedCell,
  tableKind,
  tiersIn,
  type LimitRow,
} from './limit-cells';
import { scopeOf } from './product-scopes';

/** The lines above the header of an official table. */
export interface CosingTitle {
  readonly annex: string;
  /** As written. */
  readonly lastUpdate: string | null;
}

const MOVED = /\bmoved or deleted\b/i;

/** Undefined if no line above the header names an annex. */
export function cosingTitle(above: readonly (readonly string[])[]): CosingTitle | undefined {
  const text = above.map((cells) => cells.join('\n')).join('\n');
  const annex = /^\s*ANNEX (II|III|IV|V|VI)\b/m.exec(text)?.[1];
  const lastUpdate = /Last update: (\d\d\/\d\d\/\d{4})/.exec(text)?.[1] ?? null;
  return annex === undefined ? undefined : { annex, lastUpdate };
}

type Shared = Omit<RawLimit, 'kind' | 'tier' | 'scope' | 'limitPercent' | 'limitText' | 'basis' | 'sum'>;

/**
 * Returns the limits of a row of an official table: one for each tier, and those of a duty to declare.
 * @throws RefusedCell
 */
export function readCosingRow(row: LimitRow, { annex, lastUpdate }: CosingTitle): RawLimit[] {
  const { line, cell } = row;
  if (cell('entry') === '') throw new RefusedCell('entry-missing', 'entry');
  if (MOVED.test(cell('substance')))
    throw new RefusedCell('moved-or-deleted', 'substance', cell('substance'));
  const { inciNames, casNumbers } = substancesOf(row, annex);
  const conditions = [cell('other'), cell('wording')].filter(Boolean).join('\n') || null;
  const shared: Shared = {
    line,
    region: 'eu',
    annex,
    entry: cell('entry').replace(/\s+/g, ''),
    substance: oneLine(cell('substance')) || inciNames[0] || casNumbers[0]!,
    inciNames,
    casNumbers,
    factor: null,
    purpose: purposeOf('eu', annex),
    conditions,
    validFrom: beginsOn(conditions),
    validUntil: null,
    source: [`CosIng Annex ${annex}`, lastUpdate && `last update ${lastUpdate}`, cell('regulation')]
      .filter(Boolean)
      .join(', '),
  };
  const kind = tableKind('eu', annex);
  if (kind === 'prohibited') return [withoutLimit(shared, kind, null)];
  if (annex === 'IV') return [...colorantLimits(row, shared, kind)];
  const duties = annex === 'III' ? dutiesOf(row, shared) : [];
  if (cell('maximum') === '' && duties.length > 0) return duties;
  return [...maximaOf(row, shared, kind), ...duties];
}

/** Names also include those that the export lists as identified. Some CAS numbers are in the column of EC numbers. */
function substancesOf({ cell }: LimitRow, annex: string) {
  const named = cell('inciNames').split(/\s+\/\s+|\s*;\s*|\n+|,\s+|\s\/(?=\S)/);
  const found = namesOf([...named, ...identifiedNames(cell('identified'))]);
  const isNamed = found.length > 0 || annex !== 'II' || cell('substance').length > MAX_NAME;
  const inciNames = isNamed ? found : namesOf([cell('substance')]);
  const casNumbers = casNumbersIn(`${cell('casNumbers')} ${cell('ecNumber')}`);
  if (found.length === 0 && casNumbers.length === 0) throw new RefusedCell('no-name-and-no-cas', 'inciNames');
  return { inciNames, casNumbers };
}

/** One name per line, or names with commas between them; not the commas of `2,5-Diamine` and `N,N-Bis…`. */
const identifiedNames = (text: string): string[] =>
  text.includes('\n')
    ? text.split(/\n+/)
    : text.split(/,(?!\d)(?<!(?:^|[^A-Za-z])[A-Za-z]'?,)|(?<=[A-Z]{3}),(?=\d)/);

const withoutLimit = (shared: Shared, kind: LimitKind, scope: string | null): RawLimit => ({
  ...shared,
  kind,
  tier: null,
  scope,
  limitPercent: null,
  limitText: null,
  basis: null,
  sum: null,
});

/** Annex IV has product types in the column of the limit. It is empty if a colorant is permitted in all of them. */
function colorantLimits(row: LimitRow, shared: Shared, kind: LimitKind): RawLimit[] {
  const [maximum, scope] = [oneLine(row.cell('maximum')), oneLine(row.cell('scope'))];
  if (/\d\s*%/.test(row.cell('other'))) {
    throw new RefusedCell('number-in-other-column', 'other', row.cell('other'));
  }
  if (maximum === '') return [withoutLimit(shared, kind, scope || null)];
  if (!/\d/.test(maximum) && scope === '' && scopeOf(maximum)) return [withoutLimit(shared, kind, maximum)];
  return maximaOf(row, shared, kind);
}

function maximaOf({ cell }: LimitRow, shared: Shared, kind: LimitKind): RawLimit[] {
  const [maximum, footnote] = withoutFootnote(cell('maximum'));
  if (maximum === '') {
    const isElsewhere = /\d\s*%/.test(cell('other'));
    throw isElsewhere
      ? new RefusedCell('number-in-other-column', 'other', cell('other'))
      : new RefusedCell('words-only', 'maximum', cell('other'));
  }
  const scopes = tiersIn(cell('scope'));
  const forAll = ofAllTiers(maximum, scopes);
  const limits = forAll === undefined ? tiersIn(maximum) : undefined;
  const conditions = [shared.conditions, footnote].filter(Boolean).join('\n') || null;
  const made = (tier: string | null, scope: string, limit: string): RawLimit => ({
    ...shared,
    conditions,
    ...cosingLimit(limit),
    kind,
    tier,
    scope: oneLine(scope) || null,
  });
  if (!limits && !scopes) return [made(null, cell('scope'), maximum)];
  if (!limits && scopes) return [...scopes].map(([tier, scope]) => made(tier, scope, forAll ?? maximum));
  if (!limits || !scopes || [...limits.keys()].some((tier) => !scopes.has(tier))) {
    throw new RefusedCell('tiers-do-not-pair', 'maximum', maximum);
  }
  return [...limits].map(([tier, limit]) => made(tier, scopes.get(tier)!, limit));
}

/** Splits off footnotes below the limits of a cell. */
function withoutFootnote(text: string): [limits: string, footnote: string] {
  const at = text.search(/\n\s*Footnote\b/);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at).trim()];
}

/** Returns the limit of `(a) and (b) 1 %`, if there are exactly these two tiers. */
function ofAllTiers(text: string, scopes: ReadonlyMap<string, string> | undefined): string | undefined {
  const limit = /^(?:For )?\(a\) and \(b\):?\s*(.+)$/s.exec(text)?.[1];
  return scopes && [...scopes.keys()].join('') === 'ab' ? limit : undefined;
}

const DUTY =
  /(?<tiers>(?:\([a-n]\)\s*)*)the presence of the substance(?:s| or (?:the )?substances)? (?:must|shall) be indicated(?: as)?(?: ‘(?<group>[^’]+)’)? in the list of ingredients referred to in article \d+\(1\),?\s?(?:point )?\(?g\)? ?,? when (?:its concentration|the concentration) [a-z ]*exceeds?[a-z ]*: ?[-—–] ?0[.,]001 ?% in leave-on products ?[-—–] ?0[.,]01 ?% in rinse-off products/i;

/** Returns the two thresholds above which a fragrance allergen must be named. */
function dutiesOf({ cell }: LimitRow, shared: Shared): RawLimit[] {
  const text = oneLine(cell('other'));
  const found = DUTY.exec(text)?.groups;
  if (!found) return [];
  const letters = [...(tiersIn(cell('scope'))?.keys() ?? [])];
  const tied = [...(found.tiers ?? '').matchAll(/\(([a-n])\)/g)].map((match) => match[1]!);
  if (tied.length > 0 && letters.some((letter) => !tied.includes(letter))) {
    throw new RefusedCell('duty-of-one-tier', 'other', text);
  }
  return [
    ['leave-on', '0.001'],
    ['rinse-off', '0.01'],
  ].map(([scope, limitPercent]) => ({
    ...shared,
    kind: 'declare-above',
    tier: null,
    scope: scope!,
    limitPercent: limitPercent!,
    limitText: `${limitPercent} %`,
    basis: null,
    sum: found.group === undefined ? null : `declared together as ${found.group}`,
    // The dates in the row apply to products on the shelf.
    validFrom: null,
  }));
}

/** A limit of the official tables: its number, and the meaning of the words around it. */
export interface CosingLimit {
  readonly limitPercent: string;
  readonly limitText: string;
  readonly basis: string | null;
  readonly sum: string | null;
  /** Present if the cell contains it. */
  readonly validFrom?: string;
}

const NUMBER_AND_WORDS = new RegExp(
  `^(?<number>\\d+(?:[.,]\\d+)?)\\s*(?<unit>${LIMIT_UNIT.source})\\s*(?<words>.*)$`,
);
/** `(as free SO2)`, `(of Hg)`, `(as % of anhydrous substance)`, `(after mixing for use)`. */
const BASIS = /^\(?(?:as (?:an? )?(?:% of )?|of |calculated as )(?<basis>[^%()]+?)\)?$/;
const BARE_BASES: Readonly<Record<string, string>> = {
  '(acid)': 'acid',
  '(after mixing for use)': 'after mixing',
};
/** The footnote about the sum of the nano form and the other form. */
const WITH_NANO = /^\W*in case of combined use of .+ and .+\(nano\),? the sum shall not exceed(?<tail>.*)$/i;
/** Substances of other entries count together with it. */
const WITH_OTHERS =
  /^\(?(?:calculated )?(?:as|of) (?<basis>[^()%.]+?)\)?[.\s]+(?:when|if) mixed with (?<others>other .+?)(?: permitted| authori[sz]ed|,? the total|, total).*(?:exceed|fixed at)(?<tail>[^%]*%)$/i;
const RETINOL_EQUIVALENT = /^retinol equivalent \(re\)$/i;

/**
 * Reads a limit such as `0,5 % (acid)`. Unknown words are refused, because they may change the meaning of the
 * number.
 * @throws RefusedCell
 */
function cosingLimit(text: string): CosingLimit {
  const { rest, day } = beginningIn(oneLine(text).replace(/[.;,]$/, ''));
  const plain = rest.replace(/^- /, '');
  const { number, unit, words } = NUMBER_AND_WORDS.exec(plain)?.groups ?? {};
  if (number === undefined || words === undefined) throw notANumber(plain);
  const limitPercent = percentOf(`${number} ${unit}`, 'maximum');
  const made = (basis: string | null, sum: string | null) => ({
    limitPercent,
    limitText: plain,
    basis,
    sum,
    ...(day !== undefined && { validFrom: day }),
  });
  if (words === '') return made(null, null);
  const nano = WITH_NANO.exec(words)?.groups;
  if (nano && hasNoOtherNumber(nano.tail!, limitPercent)) return made(null, 'sum with the nano form');
  const others = WITH_OTHERS.exec(words)?.groups;
  if (others && hasNoOtherNumber(others.tail!, limitPercent)) {
    return made(others.basis!, `sum, combined with ${others.others}`);
  }
  if (RETINOL_EQUIVALENT.test(words)) return made('retinol', 'sum as retinol equivalent');
  if (/\d\s*%/.test(words)) throw new RefusedCell('two-numbers', 'maximum', plain);
  const basis = BARE_BASES[words] ?? BASIS.exec(words)?.groups?.basis;
  if (basis === undefined || /\b(?:when|if|mixture|ratio)\b/i.test(basis)) {
    const isScope = /\b(?:products?|rinse|leave|fragrance|toilette)\b/i.test(words);
    throw new RefusedCell(isScope ? 'scope-in-limit' : 'unknown-unit', 'maximum', plain);
  }
  return made(basis, null);
}

/** Returns true if the text contains no percentage but the limit itself. */
const hasNoOtherNumber = (text: string, limitPercent: string): boolean =>
  [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*%/g)].every(
    (match) => percentOf(match[1]!, 'maximum') === limitPercent,
  );

function notANumber(text: string): RefusedCell {
  const numbers = text.match(/\d+(?:[.,]\d+)?\s*%/g)?.length ?? 0;
  if (numbers > 1) return new RefusedCell('two-numbers', 'maximum', text);
  if (numbers === 1) return new RefusedCell('not-one-number', 'maximum', text);
  return new RefusedCell('words-only', 'maximum', text);
}
