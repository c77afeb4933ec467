import { sumOf } from '../../../platform/common/collections';
import { isCompleteSum } from '../../../formulas/percentage-sum';
import { familyOf, IngredientNames } from '../ingredient-names/ingredient-names';
import { holdsWord } from '../ingredient-names/name-keys';
import { rawMaterialCost } from '../ingredient-names/raw-material-cost';

/** The input of an exploration. */
export interface ExploreInput {
  readonly baseFormulaName?: string;
  readonly baseIngredients?: readonly NamedShare[];
  /** CNY per kg of finished product. */
  readonly costLimit?: number;
  readonly keepIngredients?: readonly string[];
  readonly excludeIngredients?: readonly string[];
  readonly targetMetrics?: Readonly<Record<string, unknown>>;
  /**
   * Catalogue names and prices of the request's ingredients. Without them, only the base's own pairs of
   * names and the everyday names are known.
   * @internal
   */
  readonly catalogue?: IngredientNames;
}

/** The properties of an option that the rules check. */
export interface ProposedVariant {
  readonly changes: readonly {
    readonly action?: string;
    readonly ingredient: string;
    readonly oldPercentage?: number | null;
    readonly newPercentage: number;
  }[];
  readonly predictedMetrics: { readonly costEstimate: number };
}

/** Reason why a variant violates the request. */
export type VariantFault =
  'over-cost-limit' | 'excluded-ingredient' | 'kept-ingredient' | 'added-twice' | 'percentages';

/**
 * Returns true if a variant satisfies the request: kept ingredients remain, excluded ingredients are
 * removed, the cost is within the limit, and a complete base stays complete.
 */
export function keepsToRequest(option: ProposedVariant, input: ExploreInput): boolean {
  const fault = variantFault(option, input);
  if (fault) refusals.set(input, refusals.get(input) ?? fault);
  return fault === undefined;
}

/** Fault of the first variant that was refused for each request. */
const refusals = new WeakMap<ExploreInput, VariantFault>();

/** Returns the fault of the first refused variant, or undefined. */
export const firstRefusal = (input: ExploreInput): VariantFault | undefined => refusals.get(input);

/** Removes changes to zero of ingredients that the base does not contain. */
export function withoutIdleChanges<Variant extends ProposedVariant>(
  option: Variant,
  input: ExploreInput,
): Variant {
  const { base, lineOf } = rulesOf(input);
  if (base.size === 0) return option;
  const changes = option.changes.filter(
    ({ ingredient, newPercentage }) => newPercentage > 0 || base.has(lineOf(ingredient)),
  );
  return changes.length === option.changes.length ? option : { ...option, changes };
}

/** Returns the first fault of a variant, or undefined if it has none. */
export function variantFault(option: ProposedVariant, input: ExploreInput): VariantFault | undefined {
  const { costLimit = Infinity } = input;
  if (option.predictedMetrics.costEstimate > costLimit) return 'over-cost-limit';
  const rules = rulesOf(input);
  const { base, excluded, retained } = rules;
  const changed = new Map<string, { readonly name: string; readonly percentage: number }>();
  const shares = new Map<string, number>();
  for (const { action, ingredient, oldPercentage, newPercentage } of option.changes) {
    const line = rules.lineOf(ingredient);
    const isRenamed = line !== rules.names.keyOf(ingredient);
    const before = base.get(line)?.percentage ?? 0;
    if (isRenamed && action === 'add' && oldPercentage === null && before > 0) return 'added-twice';
    shares.set(rules.names.keyOf(ingredient), newPercentage);
    changed.set(line, { name: ingredient, percentage: newPercentage });
  }
  if ([...shares].some(([name, share]) => share > 0 && rules.isExcluded(name))) return 'excluded-ingredient';
  if (excluded.some((line) => base.get(line)!.percentage > 0 && !changed.has(line))) {
    return 'excluded-ingredient';
  }
  if ([...changed].some(([line, { percentage }]) => percentage === 0 && rules.isKept(line))) {
    return 'kept-ingredient';
  }
  if (retained.some((line) => !(base.get(line)!.percentage > 0) && !changed.has(line)))
    return 'kept-ingredient';
  if (!keepsTotal(rules, changed)) return 'percentages';
  if (costLimit === Infinity || base.size === 0) return undefined;
  const cost = rawMaterialCost([...new Map([...base, ...changed]).values()], rules.names);
  return cost.isKnown && cost.perKg > costLimit ? 'over-cost-limit' : undefined;
}

/** Returns false if a complete base becomes incomplete. */
function keepsTotal({ sum, base }: Rules, changed: ReadonlyMap<string, { percentage: number }>): boolean {
  if (!isCompleteSum(sum)) return true;
  const before = sumOf([...changed.keys()].map((line) => base.get(line)?.percentage ?? 0));
  const after = sumOf([...changed.values()].map(({ percentage }) => percentage));
  return isCompleteSum(sum.minus(before).plus(after));
}

/** The demands of a request, prepared for checking variants. A line is identified by its key. */
interface Rules {
  readonly names: IngredientNames;
  /** Lines of the base. Lines with the same name are added up. */
  readonly base: ReadonlyMap<string, NamedShare>;
  readonly sum: ReturnType<typeof sumOf>;
  /** Returns the key of the base's line with this name, or the name's own key if there is none. */
  readonly lineOf: (name: string) => string;
  /** Lines of the base that must be removed. */
  readonly excluded: readonly string[];
  /** Lines of the base that must stay. */
  readonly retained: readonly string[];
  readonly isExcluded: (name: string) => boolean;
  readonly isKept: (line: string) => boolean;
  /** Names to exclude that match no line of the base. */
  readonly notInBase: readonly string[];
}

/** Computed once per request instead of once per variant: a request may have thousands of names and variants. */
const known = new WeakMap<ExploreInput, Rules>();

export function rulesOf(input: ExploreInput): Rules {
  const made = known.get(input);
  if (made) return made;
  const steps = makeRules(input);
  for (;;) {
    const { done, value } = steps.next();
    if (!done) continue;
    known.set(input, value);
    return value;
  }
}

/** Computes the rules in steps of a few milliseconds each, with a pause between them. */
export async function prepareRules(input: ExploreInput, pause: () => Promise<unknown>): Promise<void> {
  const steps = makeRules(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return void known.set(input, value);
    await pause();
  }
}

/** Number of comparisons of a name with a word per step. */
const STEP = 20_000;
const NAMES_IN_STEP = 250;

function* makeRules(input: ExploreInput): Generator<void, Rules> {
  const { baseIngredients = [], excludeIngredients = [], keepIngredients = [] } = input;
  const names = input.catalogue ?? new IngredientNames(pairsOf(baseIngredients));
  const base = mergeByName(baseIngredients, names);
  yield;
  const lines = new Map([...base.keys()].map((key) => [key, key]));
  for (const [at, [key, { name }]] of [...base].entries()) {
    if (at % NAMES_IN_STEP === 0) yield;
    for (const other of names.namesOf(name)) if (!lines.has(other)) lines.set(other, key);
  }
  const excludedNames = new Set<string>();
  const words: string[] = [];
  const namesByWord = new Map<string, string[]>();
  for (const [at, name] of [...new Set(excludeIngredients)].entries()) {
    if (at % NAMES_IN_STEP === 0) yield;
    for (const other of names.namesOf(name)) excludedNames.add(other);
    const isKnown = names.isKnown(name) || base.has(names.keyOf(name));
    for (const word of familyOf(name) ?? (isKnown ? [] : ownWord(names.keyOf(name)))) {
      if (!namesByWord.has(word)) words.push(word);
      namesByWord.set(word, [...(namesByWord.get(word) ?? []), name]);
    }
  }
  yield;
  const excluded: string[] = [];
  const foundByWord = new Set<string>();
  const byWord = new Map<string, boolean>();
  const holdsExcludedWord = (key: string): boolean => words.some((word) => holdsWord(key, word));
  let compared = 0;
  for (const [key, { name }] of base) {
    const own = [...names.namesOf(name)];
    let isExcluded = excludedNames.has(key);
    for (const word of words) {
      if (!own.some((other) => holdsWord(other, word))) continue;
      isExcluded = true;
      foundByWord.add(word);
    }
    byWord.set(key, isExcluded);
    if (isExcluded) excluded.push(key);
    compared += words.length * own.length;
    if (compared < STEP) continue;
    compared = 0;
    yield;
  }
  yield;
  const keptNames = new Set(keepIngredients.flatMap((name) => [...names.namesOf(name)]));
  const retained = [...base.keys()].filter((key) => keptNames.has(key));
  yield;
  const foundNames = new Set([...foundByWord].flatMap((word) => namesByWord.get(word)!));
  const isThere = (name: string): boolean =>
    foundNames.has(name) || [...names.namesOf(name)].some((other) => byWord.get(other));
  return {
    names,
    base,
    sum: sumOf([...base.values()].map(({ percentage }) => percentage)),
    lineOf: (name) => lines.get(names.keyOf(name)) ?? names.keyOf(name),
    excluded,
    retained,
    isExcluded(name) {
      const key = names.keyOf(name);
      let isExcluded = byWord.get(key);
      if (isExcluded === undefined) {
        isExcluded = excludedNames.has(key) || [...names.namesOf(name)].some(holdsExcludedWord);
        byWord.set(key, isExcluded);
      }
      return isExcluded;
    },
    isKept: (line) => keptNames.has(line),
    notInBase: [...new Set(excludeIngredients)].filter((name) => !isThere(name)),
  };
}

/** Takes an unknown name as a word of other names: "Parabens" excludes "Methylparaben". */
function ownWord(key: string): string[] {
  const word = /^[a-z]{4,}s$/.test(key) ? key.slice(0, -1) : key;
  const shortest = /^\p{ASCII}*$/u.test(word) ? 3 : 2;
  return word.length >= shortest ? [word] : [];
}

function mergeByName(lines: readonly NamedShare[], names: IngredientNames): Map<string, NamedShare> {
  const merged = new Map<string, NamedShare>();
  for (const { name, percentage } of lines) {
    const key = names.keyOf(name);
    const earlier = merged.get(key);
    merged.set(key, { name: earlier?.name ?? name, percentage: (earlier?.percentage ?? 0) + percentage });
  }
  return merged;
}

/** Returns both names of each line that has two. */
export const pairsOf = (lines: readonly NamedShare[]) =>
  lines.flatMap(({ name, inciName }) => (inciName ? [{ inciName, chineseName: name }] : []));

/** The name of an ingredient and its share, in percent by weight. */
export interface NamedShare {
  readonly name: string;
  /** INCI name of the same ingredient, if known. */
  readonly inciName?: string;
  readonly percentage: number;
}

export function total(shares: Iterable<number>): number {
  let sum = 0;
  for (const share of shares) sum += share;
  return sum;
}

/** Rounds a percentage to two decimals. */
export function roundShare(value: number): number {
  return Math.round(value * 100) / 100;
}
