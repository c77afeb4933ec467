import { isCompleteSum } from '../../../formulas/percentage-sum';
import { distinct, groupBy, sumOf } from '../../../platform/common/collections';
import { inTurns } from '../../../platform/common/in-turns';
import { familyOf, holdsWord, IngredientNames, spacedText } from '../ingredient-names';

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
  /**
   * Percentages of the lines of the base in variants that were calculated: see `variantProblems`.
   * @internal
   */
  readonly solutions?: readonly (readonly number[])[];
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
  const rules = rulesOf(input);
  const { base } = rules;
  if (base.size === 0) return option;
  const changes = option.changes.filter(
    ({ ingredient, newPercentage }) => newPercentage > 0 || base.has(rules.lineOf(ingredient)),
  );
  return changes.length === option.changes.length ? option : { ...option, changes };
}

export function variantFault(option: ProposedVariant, input: ExploreInput): VariantFault | undefined {
  const { costLimit = Infinity } = input;
  if (option.predictedMetrics.costEstimate > costLimit) return 'over-cost-limit';
  const rules = rulesOf(input);
  const { base } = rules;
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
  if (rules.excluded.some((line) => base.get(line)!.percentage > 0 && !changed.has(line))) {
    return 'excluded-ingredient';
  }
  if ([...changed].some(([line, { percentage }]) => percentage === 0 && rules.isKept(line))) {
    return 'kept-ingredient';
  }
  if (rules.retained.some((line) => !(base.get(line)!.percentage > 0) && !changed.has(line)))
    return 'kept-ingredient';
  if (!keepsTotal(rules, changed)) return 'percentages';
  if (costLimit === Infinity || base.size === 0) return undefined;
  const cost = rawMaterialCost([...new Map([...base, ...changed]).values()], rules.names);
  return cost.isKnown && cost.perKg > costLimit ? 'over-cost-limit' : undefined;
}

/** Returns false if a complete base becomes incomplete. */
function keepsTotal(
  { sum, base }: ExploreRules,
  changed: ReadonlyMap<string, { percentage: number }>,
): boolean {
  if (!isCompleteSum(sum)) return true;
  const before = sumOf([...changed.keys()].map((line) => base.get(line)?.percentage ?? 0));
  const after = sumOf([...changed.values()].map(({ percentage }) => percentage));
  return isCompleteSum(sum.minus(before).plus(after));
}

/** The demands of a request, prepared for checking variants. A line of the base is identified by its key. */
export class ExploreRules {
  readonly names: IngredientNames;
  /** Lines of the base. Lines with the same name are added up. */
  readonly base: ReadonlyMap<string, NamedShare>;
  readonly sum: ReturnType<typeof sumOf>;
  readonly retained: readonly string[];
  private readonly lines: ReadonlyMap<string, string>;
  private readonly toExclude: readonly string[];
  private readonly excludedNames: ReadonlySet<string>;
  private readonly keptNames: ReadonlySet<string>;
  /** Words that exclude each ingredient whose name has them, with the names of the request that they stand for. */
  private readonly namesByWord: ReadonlyMap<string, readonly string[]>;
  private excludedLines: readonly string[] | undefined;
  private readonly wordsByKey = new Map<string, readonly string[]>();

  constructor({
    baseIngredients = [],
    excludeIngredients = [],
    keepIngredients = [],
    catalogue,
  }: ExploreInput) {
    const names = (this.names = catalogue ?? new IngredientNames(pairsOf(baseIngredients)));
    this.base = mergeByName(baseIngredients, names);
    this.sum = sumOf([...this.base.values()].map(({ percentage }) => percentage));
    const lines = new Map([...this.base.keys()].map((key) => [key, key]));
    for (const [key, { name }] of this.base) {
      for (const other of names.namesOf(name)) if (!lines.has(other)) lines.set(other, key);
    }
    this.lines = lines;
    this.toExclude = distinct(excludeIngredients);
    const allNames = (some: readonly string[]) => new Set(some.flatMap((name) => [...names.namesOf(name)]));
    this.excludedNames = allNames(this.toExclude);
    this.keptNames = allNames(keepIngredients);
    this.retained = [...this.base.keys()].filter((line) => this.keptNames.has(line));
    const excludedWords = this.toExclude.flatMap((name) =>
      this.wordsFor(name).map((word) => ({ name, word })),
    );
    this.namesByWord = new Map(
      [...groupBy(excludedWords, ({ word }) => word)].map(([word, of]) => [word, of.map(({ name }) => name)]),
    );
  }

  /** Returns the key of the base's line with this name, or the name's own key if there is none. */
  lineOf(name: string): string {
    const key = this.names.keyOf(name);
    return this.lines.get(key) ?? key;
  }

  isExcluded(name: string): boolean {
    return this.excludedNames.has(this.names.keyOf(name)) || this.excludingWordsIn(name).length > 0;
  }

  isKept(line: string): boolean {
    return this.keptNames.has(line);
  }

  /** Lines of the base that must be removed. */
  get excluded(): readonly string[] {
    return (this.excludedLines ??= [...this.base.keys()].filter((line) => this.isExcluded(line)));
  }

  /** Names to exclude that match no line of the base. */
  get notInBase(): string[] {
    const lines = [...this.base.keys()];
    const found = new Set(
      lines.flatMap((line) => this.excludingWordsIn(line)).flatMap((word) => this.namesByWord.get(word)!),
    );
    return this.toExclude.filter(
      (name) => !found.has(name) && ![...this.names.namesOf(name)].some((other) => this.base.has(other)),
    );
  }

  private excludingWordsIn(name: string): readonly string[] {
    const key = this.names.keyOf(name);
    let words = this.wordsByKey.get(key);
    if (!words) {
      const texts = this.names.textsOf(this.base.get(key)?.name ?? name);
      words = [...this.namesByWord.keys()].filter((word) => texts.some((text) => holdsWord(text, word)));
      this.wordsByKey.set(key, words);
    }
    return words;
  }

  /** The words of a family. An unknown name is itself a word of other names: "Parabens" excludes "Methylparaben". */
  private wordsFor(name: string): readonly string[] {
    const isKnown = this.names.isKnown(name) || this.base.has(this.names.keyOf(name));
    return familyOf(name) ?? (isKnown ? [] : ownWord(spacedText(name)));
  }
}

/** Computed once per request instead of once per variant: a request may have thousands of names and variants. */
const known = new WeakMap<ExploreInput, ExploreRules>();

export function rulesOf(input: ExploreInput): ExploreRules {
  const rules = known.get(input) ?? new ExploreRules(input);
  known.set(input, rules);
  return rules;
}

/** Compares the names of the base with the excluded words in advance, so that others get their turn between lines. */
export async function prepareRules(input: ExploreInput): Promise<void> {
  const rules = rulesOf(input);
  await inTurns(rules.base.keys(), (line) => rules.isExcluded(line));
}

function ownWord(text: string): string[] {
  const word = /^[a-z]{4,}s$/.test(text) ? text.slice(0, -1) : text;
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

export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Cost of the raw materials of one kilogram at catalogue prices. */
interface RawMaterialCost {
  /** Cost of the lines that have a price. If others have none, this is a lower bound. */
  readonly perKg: number;
  /** True if every line has a price and the lines are a complete formula. */
  readonly isKnown: boolean;
  readonly unpriced: readonly NamedShare[];
}

/** Ignores lines without a positive share. */
export function rawMaterialCost(lines: readonly NamedShare[], names: IngredientNames): RawMaterialCost {
  const present = lines.filter(({ percentage }) => percentage > 0);
  const unpriced = present.filter(({ name }) => names.pricePerKg(name) === undefined);
  const perKg = total(
    present.map(({ name, percentage }) => (percentage / 100) * (names.pricePerKg(name) ?? 0)),
  );
  const isComplete = isCompleteSum(sumOf(present.map(({ percentage }) => percentage)));
  return { perKg: toHundredths(perKg), isKnown: unpriced.length === 0 && isComplete, unpriced };
}
