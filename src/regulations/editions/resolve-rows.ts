import type {} from './limit.entity';
import type { ProductType } from '../../formulas/product-types';
import type { RawLimit } from './limit-cells';
import { type Scope, scopeOf, without } from './product-scopes';
import { ORAL } from '../../formulas/product-types';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';

/** Tiers of one entry that are read together. No table has as many. */
const MAX_TIERS = 100;
const UNKNOWN: ResolvedScope = { types: null, isNarrower: false };

const MENTIONS_ORAL = /\b(?:oral|mouth|mouthwash(?:es)?|tooth|toothpastes?)\b/i;

export interface ResolvedScope {
  /** Null where they are not known. */
  readonly types: readonly ProductType[] | null;
  /** The scope has words that the types do not say. */
  readonly isNarrower: boolean;
}

/**
 * The product types of rows. Tiers of one entry, substance and kind are read together: what is left over for `other
 * products` depends on the others, and of two tiers that cover a type the one for fewer types counts.
 */
export function resolveScopes(rows: readonly RawLimit[]): ResolvedScope[] {
  const groups = new Map<string, number[]>();
  for (const [index, { region, annex, entry, substance, kind }] of rows.entries()) {
    const key = JSON.stringify([region, annex, entry, entry === '' ? substance : '', kind]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const resolved = new Array<ResolvedScope>(rows.length);
  for (const indexes of groups.values()) {
    const tiers = resolveTiers(indexes.map((index) => rows[index]!));
    for (const [position, index] of indexes.entries()) resolved[index] = tiers[position]!;
  }
  return resolved;
}

function resolveTiers(rows: readonly RawLimit[]): ResolvedScope[] {
  if (rows.length > MAX_TIERS) return rows.map(() => UNKNOWN);
  const scopes = rows.map((row) => scopeOfRow(row));
  // Several rows with one scope, such as the limits of a single ester and of a mixture, are no tiers of each other.
  const differ = (one: number, other: number) => rows[one]!.scope !== rows[other]!.scope;
  const others = (at: number) =>
    scopes.flatMap((scope, other) => (differ(at, other) ? [{ scope, other }] : []));

  return scopes.map((scope, at) => {
    if (!scope || 'within' in scope) return UNKNOWN;
    const siblings = others(at);
    if ('othersOf' in scope) {
      const named = siblings.map(({ scope: sibling }) => possible(sibling));
      if (named.length === 0 || named.some((types) => types === undefined)) return UNKNOWN;
      const left = without(scope.othersOf, ...(named as (readonly ProductType[])[]));
      return nonEmpty([...new Set([...left, ...(scope.and ?? [])])], false);
    }
    const isOral = siblings.some(({ other }) => MENTIONS_ORAL.test(rows[other]!.scope ?? ''));
    const isOnlyOral = scope.types.every((type) => ORAL.includes(type));
    const own =
      isOral && !isOnlyOral && !MENTIONS_ORAL.test(rows[at]!.scope ?? '')
        ? without(scope.types, ORAL)
        : scope.types;
    const fewer = siblings
      .map(({ scope: sibling }) => (sibling && 'othersOf' in sibling ? undefined : possible(sibling)))
      .filter((types) => types !== undefined && types.length < own.length) as (readonly ProductType[])[];
    return nonEmpty(without(own, ...fewer), scope.isNarrower === true);
  });
}

const scopeOfRow = ({ productTypes, scope }: RawLimit): Scope | undefined =>
  productTypes ? { types: productTypes } : scopeOf(scope);

/** The types that a tier names, or may name; undefined where nobody knows. A tier for what is left over names none. */
function possible(scope: Scope | undefined): readonly ProductType[] | undefined {
  if (!scope) return undefined;
  if ('othersOf' in scope) return scope.and ?? [];
  return 'within' in scope ? scope.within : scope.types;
}

const nonEmpty = (types: readonly ProductType[], isNarrower: boolean): ResolvedScope =>
  types.length === 0 ? UNKNOWN : { types, isNarrower };

/** The sum that a row belongs to. */
export interface ResolvedSum {
  readonly sumGroup: string | null;
  /** The words of a sum with uncertain members. They replace the basis, which is then unknown. */
  readonly uncertain: string | null;
}

const NONE: ResolvedSum = { sumGroup: null, uncertain: null };

/** `sum with the nano form` and similar words. */
const WITH_NANO = /^sum with the (?:non-)?nano form$/;
const OF_ENTRIES = /^sum of entries (\w+) and (\w+)$/;
/** Substances of another entry, or of none: a row cannot name them all. */
const BEYOND_THE_ROW = /\b(?:combined with|alone or with|entry|entries)\b/;

/** Returns the sum groups of rows. A sum within one row has its own group. */
export function resolveSums(rows: readonly RawLimit[]): ResolvedSum[] {
  const forms = new Map<string, number>();
  const withSum = new Set<string>();
  for (const row of rows) {
    if (row.sum === null) continue;
    if (WITH_NANO.test(row.sum)) forms.set(formsKey(row), (forms.get(formsKey(row)) ?? 0) + 1);
    else withSum.add(entryKey(row, row.entry));
  }
  /** The group of a sum of several entries, by rows of each of these entries. */
  const ofEntries = new Map<string, string>();
  for (const row of rows) {
    const entries = summedEntries(row);
    if (!entries?.every((entry) => withSum.has(entryKey(row, entry)))) continue;
    for (const entry of entries) ofEntries.set(entryKey(row, entry), `${row.annex}/${entries.join(' + ')}`);
  }

  return rows.map((row) => {
    if (row.sumGroup !== undefined) return { sumGroup: row.sumGroup, uncertain: null };
    const { sum, annex, entry, scope } = row;
    if (sum === null) return NONE;
    if (WITH_NANO.test(sum)) {
      const key = formsKey(row);
      const isPair = row.inciNames.length > 0 && (forms.get(key) ?? 0) > 1;
      return isPair
        ? { sumGroup: `${annex}: ${namesKey(row)}, with and without nano`, uncertain: null }
        : { sumGroup: null, uncertain: sum };
    }
    const shared = ofEntries.get(entryKey(row, entry));
    if (shared !== undefined) return { sumGroup: shared, uncertain: null };
    if (BEYOND_THE_ROW.test(sum)) return { sumGroup: null, uncertain: sum };
    const place = entry === '' ? `${annex}: ${row.substance}` : `${annex}/${entry}`;
    return { sumGroup: [place, scope, sum].filter(Boolean).join(': '), uncertain: null };
  });
}

const summedEntries = ({ sum }: RawLimit) => (sum === null ? undefined : OF_ENTRIES.exec(sum)?.slice(1));

const namesKey = ({ inciNames }: RawLimit) => [...new Set(inciNames.map(substanceKey))].sort().join('; ');

/** The nano form and the other form are rows of one annex with the same name and limit. */
const formsKey = (row: RawLimit) => JSON.stringify([row.region, row.annex, row.limitPercent, namesKey(row)]);

/** Rows of an entry that count in one sum with this row: they have the same limit, basis and scope. */
const entryKey = ({ region, annex, scope, limitPercent, basis }: RawLimit, entry: string) =>
  JSON.stringify([region, annex, entry, scope, limitPercent, basis]);
