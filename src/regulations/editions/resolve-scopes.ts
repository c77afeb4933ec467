import type { ProductType } from '../limit';
import type { RawLimit } from './limit-draft';
import { ORAL, without } from './product-families';
import { type Scope, scopeOf } from './product-scopes';

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
