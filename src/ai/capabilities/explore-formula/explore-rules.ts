import { isComplete } from '../../../formulas/percentage-sum';
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
  const canonical = aliases(input.baseIngredients ?? []);
  const keyOf = (name: string): string => canonical.get(nameKey(name)) ?? nameKey(name);
  const base = composition(input.baseIngredients ?? []);
  const result = new Map(base);
  for (const change of option.changes) result.set(keyOf(change.ingredient), change.newPercentage);
  const isIn = (name: string): boolean => (result.get(keyOf(name)) ?? 0) > 0;
  if (input.excludeIngredients?.some(isIn)) return false;
  const isOut = (name: string): boolean => result.has(keyOf(name)) && !isIn(name);
  if (input.keepIngredients?.some(isOut)) return false;
  return !isComplete(base.values()) || isComplete(result.values());
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

/** From every known name of a base ingredient to the one it is counted under. */
function aliases(lines: readonly NamedShare[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of lines) if (line.inciName) known.set(nameKey(line.inciName), nameKey(line.name));
  return known;
}
