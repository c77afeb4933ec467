import { isCompleteSum, percentageSum } from '../../../formulas/percentage-sum';
import { nameKey, type NamedShare } from './composition';

/** What an exploration is asked for. */
export interface ExploreInput {
  readonly baseFormulaName?: string;
  readonly baseIngredients?: readonly NamedShare[];
  /** CNY per kg of finished product. */
  readonly costLimit?: number;
  readonly keepIngredients?: readonly string[];
  readonly excludeIngredients?: readonly string[];
  readonly targetMetrics?: Readonly<Record<string, unknown>>;
}

/** The parts of an option that the rules look at. */
export interface ProposedVariant {
  readonly changes: readonly { readonly ingredient: string; readonly newPercentage: number }[];
  readonly predictedMetrics: { readonly costEstimate: number };
}

/**
 * Whether a proposed variant keeps to the request: what must stay stays, what must go is gone, the cost is
 * within the limit, and a base that was complete stays complete.
 */
export function keepsToRequest(option: ProposedVariant, input: ExploreInput): boolean {
  if (input.costLimit !== undefined && option.predictedMetrics.costEstimate > input.costLimit) return false;
  const { keyOf, base, sum, excluded, kept, present, absent } = rulesOf(input);
  const changed = new Map(
    option.changes.map(({ ingredient, newPercentage }) => [keyOf(ingredient), newPercentage]),
  );
  for (const [name, share] of changed) {
    if (share > 0 ? excluded.has(name) : kept.has(name)) return false;
  }
  if (present.some((name) => !changed.has(name)) || absent.some((name) => !changed.has(name))) return false;
  if (!isCompleteSum(sum)) return true;
  const before = percentageSum([...changed.keys()].map((name) => base.get(name) ?? 0));
  return isCompleteSum(sum.minus(before).plus(percentageSum(changed.values())));
}

/** What a request says, in the form in which each variant is held against it. */
interface Rules {
  readonly keyOf: (name: string) => string;
  readonly base: ReadonlyMap<string, number>;
  readonly sum: ReturnType<typeof percentageSum>;
  readonly excluded: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  /** Of what must go, what the base has: a variant has to change it. */
  readonly present: readonly string[];
  /** Of what must stay, what the base names without a share: a variant has to give it one. */
  readonly absent: readonly string[];
}

/** Made once for a request, not for each of its variants: both can be thousands. */
const known = new WeakMap<ExploreInput, Rules>();

function rulesOf(input: ExploreInput): Rules {
  let rules = known.get(input);
  if (!rules) known.set(input, (rules = makeRules(input)));
  return rules;
}

function makeRules({
  baseIngredients = [],
  excludeIngredients = [],
  keepIngredients = [],
}: ExploreInput): Rules {
  const keyOf = keysOf(baseIngredients);
  const base = composition(baseIngredients);
  const excluded = new Set(excludeIngredients.map(keyOf));
  const kept = new Set(keepIngredients.map(keyOf));
  return {
    keyOf,
    base,
    sum: percentageSum(base.values()),
    excluded,
    kept,
    present: [...excluded].filter((name) => (base.get(name) ?? 0) > 0),
    absent: [...kept].filter((name) => base.has(name) && !((base.get(name) ?? 0) > 0)),
  };
}

/** Shares by name; a name that stands there twice counts with its sum. */
function composition(lines: readonly NamedShare[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const line of lines) {
    const key = nameKey(line.name);
    shares.set(key, (shares.get(key) ?? 0) + line.percentage);
  }
  return shares;
}

/** The form in which names are compared: a base ingredient's is the same under each of its known names. */
export function keysOf(base: readonly NamedShare[]): (name: string) => string {
  const canonical = aliases(base);
  return (name) => canonical.get(nameKey(name)) ?? nameKey(name);
}

/** From every known name of a base ingredient to the one it is counted under. */
function aliases(lines: readonly NamedShare[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of lines) if (line.inciName) known.set(nameKey(line.inciName), nameKey(line.name));
  return known;
}
