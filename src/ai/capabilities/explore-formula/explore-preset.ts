import { nameKey, roundShare, total, type NamedShare } from './composition';
import { type ExploreInput, keysOf } from './explore-rules';

interface Change {
  action: string;
  ingredient: string;
  oldPercentage: number | null;
  newPercentage: number;
}

interface PresetOption {
  name: string;
  changes: Change[];
  predictedMetrics: { costEstimate: number; stabilityScore: number };
  reasoning: string;
}

const DISCLAIMER = '预设方案,未经模型分析,不可直接用于生产。';

/**
 * Two variants shaped by the request: one that does what must be done and no more, one that also moves a
 * point from the largest free ingredient to glycerin.
 */
export function presetOptions(input: ExploreInput): PresetOption[] {
  const base = mergeByName(input.baseIngredients ?? []);
  const cost = roundShare(Math.min(input.costLimit ?? 30, 30));
  const required = exclusions(input, base);
  const metrics = { costEstimate: cost, stabilityScore: 70 };
  const label = input.baseFormulaName?.trim() || '基础配方';
  const options: PresetOption[] = [
    {
      name: `${label} · 预设方案一`,
      changes: balanced(required, base, input),
      predictedMetrics: metrics,
      reasoning: `${DISCLAIMER}仅落实必须的调整,其余不变。`,
    },
  ];
  const softer = moreHumectant(base, input);
  if (softer) {
    options.push({
      name: `${label} · 预设方案二`,
      changes: balanced([...required, ...softer], base, input),
      predictedMetrics: { ...metrics, stabilityScore: 68 },
      reasoning: `${DISCLAIMER}在必须的调整之外,略微提高保湿剂用量。`,
    });
  }
  return options;
}

function mergeByName(lines: readonly NamedShare[]): NamedShare[] {
  const merged = new Map<string, NamedShare>();
  for (const line of lines) {
    const key = nameKey(line.name);
    const earlier = merged.get(key);
    merged.set(key, {
      name: earlier?.name ?? line.name,
      percentage: atMostAll((earlier?.percentage ?? 0) + line.percentage),
    });
  }
  return [...merged.values()];
}

/** A base may name an ingredient twice and add up to more than 100 %; no line is more than all there is. */
const atMostAll = (percentage: number): number => Math.min(100, percentage);

/** Everything that must go goes to zero, however it is named and however often. */
function exclusions(input: ExploreInput, base: readonly NamedShare[]): Change[] {
  const keyOf = keysOf(input.baseIngredients ?? []);
  const lines = new Map(base.map((line) => [nameKey(line.name), line]));
  const names = new Map((input.excludeIngredients ?? []).map((name) => [keyOf(name), name]));
  return [...names].map(([key, name]) => ({
    action: 'reduce',
    ingredient: lines.get(key)?.name ?? name,
    oldPercentage: lines.get(key)?.percentage ?? null,
    newPercentage: 0,
  }));
}

const HUMECTANT = '甘油';

function moreHumectant(base: readonly NamedShare[], input: ExploreInput): Change[] | undefined {
  const keyOf = keysOf(input.baseIngredients ?? []);
  const excluded = new Set((input.excludeIngredients ?? []).map(keyOf));
  if (excluded.has(keyOf(HUMECTANT))) return undefined;
  const present = base.find((line) => nameKey(line.name) === nameKey(HUMECTANT));
  return [
    {
      action: 'add',
      ingredient: HUMECTANT,
      oldPercentage: present?.percentage ?? null,
      newPercentage: atMostAll(roundShare((present?.percentage ?? 0) + 1)),
    },
  ];
}

/**
 * Gives or takes the difference at the largest ingredient that may move, so that the total stays what it was.
 */
function balanced(changes: Change[], base: readonly NamedShare[], input: ExploreInput): Change[] {
  if (base.length === 0) return changes;
  const keyOf = keysOf(input.baseIngredients ?? []);
  const changed = new Set(changes.map((change) => keyOf(change.ingredient)));
  const kept = new Set((input.keepIngredients ?? []).map(keyOf));
  const unchanged = base.filter((line) => !changed.has(nameKey(line.name)));
  const absorber = largest(unchanged.filter((line) => !kept.has(nameKey(line.name)))) ?? largest(unchanged);
  const difference = total(changes.map((change) => change.newPercentage - (change.oldPercentage ?? 0)));
  if (difference === 0) return changes;
  if (!absorber) return difference < 0 ? [...changes, ...water(-difference, input)] : changes;
  const newPercentage = atMostAll(roundShare(absorber.percentage - difference));
  if (newPercentage <= 0) return changes;
  return [
    ...changes,
    {
      action: difference > 0 ? 'reduce' : 'add',
      ingredient: absorber.name,
      oldPercentage: absorber.percentage,
      newPercentage,
    },
  ];
}

function water(newPercentage: number, input: ExploreInput): Change[] {
  const keyOf = keysOf(input.baseIngredients ?? []);
  if (input.excludeIngredients?.some((name) => keyOf(name) === keyOf('水'))) return [];
  return [
    {
      action: 'add',
      ingredient: '水',
      oldPercentage: null,
      newPercentage: atMostAll(roundShare(newPercentage)),
    },
  ];
}

function largest(lines: readonly NamedShare[]): NamedShare | undefined {
  return lines.reduce<NamedShare | undefined>(
    (best, line) => (best === undefined || line.percentage > best.percentage ? line : best),
    undefined,
  );
}
