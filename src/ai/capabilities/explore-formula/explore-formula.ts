import { z } from 'zod';
import { type Capability, COMMON_RULES, dataBlock } from '../../pipeline/capability';
import {
  type ExploreInput,
  type ExploreRules,
  keepsToRequest,
  type NamedShare,
  rawMaterialCost,
  rulesOf,
  toHundredths,
  total,
  variantFault,
  type VariantFault,
} from './explore-rules';

const share = z.number().min(0).max(100);

const optionSchema = z.object({
  name: z.string().min(1).describe('short name of the variant'),
  changes: z
    .array(
      z.object({
        action: z.string().min(1).describe('"reduce" (also for removing) or "add" (also for raising)'),
        ingredient: z.string().min(1),
        oldPercentage: share
          .nullable()
          .default(null)
          .describe('% w/w in the base formula; null when it is not in it'),
        newPercentage: share.describe('% w/w in the variant; 0 when it is removed'),
      }),
    )
    .describe('only the ingredients that change'),
  predictedMetrics: z.object({
    costEstimate: z.number().min(0).describe('raw-material cost of 1 kg of the variant, in CNY'),
    stabilityScore: z.number().min(0).max(100),
  }),
  reasoning: z.string(),
});

const explorationSchema = z.object({ options: z.array(optionSchema) });

export type ExploreOption = z.infer<typeof optionSchema>;
export type Exploration = z.infer<typeof explorationSchema>;

const SYSTEM = `You are a senior cosmetic formulator. You propose variants of a formula that meet a brief and would survive a stability test.

The data may hold:
- "baseFormulaName" and "baseIngredients" (name, percentage in % w/w): the formula to start from. Without it, propose changes to a
  typical formula of the kind the brief suggests, with oldPercentage null.
- "costLimit": ceiling of the raw-material cost in CNY per kg of finished product. Every variant must stay at or below it.
- "keepIngredients": must still be there, with more than 0 %. "excludeIngredients": must be gone (0 %) and must not be introduced.
- "targetMetrics": free key/value goals (for example stabilityScore, stickiness, viscosity, SPF).

Propose 3 variants, from the smallest intervention to the boldest; fewer when fewer make sense, none when the brief cannot be met.
For each:
- name: a short name that says what it does.
- changes: only ingredients whose percentage changes. action is "reduce" when the share falls (removal included: newPercentage 0)
  and "add" when it rises or the ingredient is new. oldPercentage is its share in the base, null when it was not in it. Use the
  base's own spelling of names. When you take something out, put a functional replacement in, or give the share to the solvent:
  THE PERCENTAGES OF THE VARIANT MUST ADD UP TO THE SAME TOTAL AS THE BASE (100).
- predictedMetrics.costEstimate: CNY per kg of the whole variant, from indicative industrial prices. predictedMetrics.stabilityScore:
  0 to 100.
- reasoning: 2 to 4 sentences: why it works, what it costs in feel or stability, what to test first. When unsure of a price or an
  interaction, say so here.
Respect usage limits of preservatives, UV filters and actives (China STSC 2015 and EU 1223/2009).

Write the variants in order, each complete before the next: they are shown one by one as they arrive.

${COMMON_RULES}`;

export const exploreFormula: Capability<ExploreInput, Exploration, ExploreOption> = {
  name: 'explore-formula',
  schema: explorationSchema,
  listKey: 'options',
  parts: {
    schema: optionSchema,
    accepts: keepsToRequest,
    list: (answer) => answer.options,
    assemble: (options) => ({ options }),
  },
  whenFailed: 'preset',
  maxTokens: 8192,
  prompt: (input) => ({
    system: SYSTEM,
    user: dataBlock({
      baseFormulaName: input.baseFormulaName,
      baseIngredients: input.baseIngredients,
      costLimit: input.costLimit,
      keepIngredients: input.keepIngredients,
      excludeIngredients: input.excludeIngredients,
      targetMetrics: input.targetMetrics,
    }),
  }),
  preset: (input) => ({ options: explorePreset(input).options }),
  alsoDependsOn: ({ catalogue }) => catalogue?.digest() ?? '',
};

type Change = ExploreOption['changes'][number];

/** The variants that satisfy the request, and the faults of the others. */
interface ExplorePreset {
  readonly options: ExploreOption[];
  readonly faults: readonly VariantFault[];
}

const DISCLAIMER = '预设方案,未经模型分析,不可直接用于生产。';
const HUMECTANT = '甘油';
const SOLVENT = '水';

/** Ingredients that a preset may add. */
export const ADDED_BY_PRESETS = [HUMECTANT, SOLVENT] as const;

/** Maximum number of names in a message. If there are more, it states their number. */
const MOST_NAMES = 5;

/** The least change and the least cost. */
const SOLVED = ['以尽可能小的改动满足要求。', '在要求范围内使成本最低。'] as const;

/**
 * Returns up to two variants: those that were calculated, or one with the required changes only, and one that also
 * moves one percentage point from the largest free ingredient to glycerin. Omits variants that violate the request.
 */
export function explorePreset(input: ExploreInput): ExplorePreset {
  const rules = rulesOf(input);
  const label = input.baseFormulaName?.trim() || '基础配方';
  const variants = input.solutions?.length ? solved(input.solutions, rules) : simple(rules);
  const options: ExploreOption[] = [];
  const faults: VariantFault[] = [];
  for (const [index, { changes, summary }] of variants.entries()) {
    const { costEstimate, remark } = costOf(changes, rules, input);
    const name = `${label} · 预设方案${'一二'[index]}`;
    const stabilityScore = 70 - 2 * index;
    const reasoning = `${DISCLAIMER}${summary}${remark}${notInBaseRemark(rules)}`;
    const option = { name, changes, predictedMetrics: { costEstimate, stabilityScore }, reasoning };
    const fault = variantFault(option, input);
    if (fault) faults.push(fault);
    else options.push(option);
  }
  return { options, faults };
}

interface Variant {
  readonly changes: Change[];
  readonly summary: string;
}

function simple(rules: ExploreRules): Variant[] {
  const required = exclusions(rules);
  const variant = (changes: Change[], summary: string) => ({ changes: balanced(changes, rules), summary });
  const softer = moreHumectant(rules).map((change) =>
    variant([...required, change], '在必须的调整之外,略微提高保湿剂用量。'),
  );
  return [variant(required, '仅落实必须的调整,其余不变。'), ...softer];
}

const solved = (solutions: NonNullable<ExploreInput['solutions']>, { base }: ExploreRules): Variant[] =>
  solutions.map((percentages, variant) => ({
    summary: SOLVED[variant]!,
    changes: [...base.values()].flatMap(({ name, percentage: oldPercentage }, line) => {
      const newPercentage = percentages[line]!;
      const action = newPercentage < oldPercentage ? 'reduce' : 'add';
      return newPercentage === oldPercentage
        ? []
        : [{ action, ingredient: name, oldPercentage, newPercentage }];
    }),
  }));

/** Limits a percentage to the range 0–100, because the base may contain any number. */
const asShare = (percentage: number): number => Math.min(100, Math.max(0, percentage));

/** Sets all excluded ingredients to zero, under any of their names. */
function exclusions({ base, excluded }: ExploreRules): Change[] {
  return excluded
    .map((line) => base.get(line)!)
    .filter(({ percentage }) => percentage > 0)
    .map(({ name, percentage }) => ({
      action: 'reduce',
      ingredient: name,
      oldPercentage: asShare(percentage),
      newPercentage: 0,
    }));
}

function moreHumectant(rules: ExploreRules): Change[] {
  const present = rules.base.get(rules.lineOf(HUMECTANT));
  const name = present?.name ?? HUMECTANT;
  if (rules.isExcluded(HUMECTANT) || rules.isExcluded(name)) return [];
  const before = asShare(present?.percentage ?? 0);
  const newPercentage = asShare(toHundredths(before + 1));
  return [{ action: 'add', ingredient: name, oldPercentage: present ? before : null, newPercentage }];
}

/** Adds the difference to the largest ingredient that may change, so that the total stays the same. */
function balanced(changes: Change[], rules: ExploreRules): Change[] {
  const { base } = rules;
  if (base.size === 0) return changes;
  const changed = new Set(changes.map(({ ingredient }) => rules.lineOf(ingredient)));
  const unchanged = [...base].filter(([line, { percentage }]) => !changed.has(line) && percentage > 0);
  const free = unchanged.filter(([line]) => !rules.isKept(line));
  const absorber = largest(free) ?? largest(unchanged);
  const difference = total(changes.map((change) => change.newPercentage - (change.oldPercentage ?? 0)));
  if (difference === 0) return changes;
  if (!absorber) return difference < 0 ? [...changes, ...solvent(-difference, rules)] : changes;
  const newPercentage = asShare(toHundredths(absorber.percentage - difference));
  if (newPercentage <= 0) return changes;
  return [
    ...changes,
    {
      action: difference > 0 ? 'reduce' : 'add',
      ingredient: absorber.name,
      oldPercentage: asShare(absorber.percentage),
      newPercentage,
    },
  ];
}

function solvent(share: number, rules: ExploreRules): Change[] {
  if (rules.isExcluded(SOLVENT)) return [];
  const ingredient = rules.base.get(rules.lineOf(SOLVENT))?.name ?? SOLVENT;
  const newPercentage = asShare(toHundredths(share));
  return [{ action: 'add', ingredient, oldPercentage: null, newPercentage }];
}

const largest = (lines: readonly (readonly [string, NamedShare])[]): NamedShare | undefined =>
  lines.map(([, line]) => line).toSorted((one, other) => other.percentage - one.percentage)[0];

/** Returns the cost of a variant at catalogue prices, with a remark on missing prices. */
function costOf(changes: readonly Change[], rules: ExploreRules, { costLimit }: ExploreInput) {
  const { base, names } = rules;
  const changed = changes.map(
    ({ ingredient, newPercentage }) =>
      [rules.lineOf(ingredient), { name: ingredient, percentage: newPercentage }] as const,
  );
  const lines = base.size > 0 ? [...new Map<string, NamedShare>([...base, ...changed]).values()] : [];
  const { perKg, isKnown, unpriced } = rawMaterialCost(lines, names);
  if (isKnown) return { costEstimate: perKg, remark: `按目录价格计算,每kg原料成本为${perKg}。` };
  const why =
    lines.length === 0
      ? '没有基础配方的成分'
      : unpriced.length > 0
        ? `${unpriced.length}种成分没有可用的目录价格(${listed(unpriced.map(({ name }) => name))})`
        : '基础配方的合计不是100%';
  const limit = costLimit === undefined ? '' : ',无法核对成本上限';
  return { costEstimate: perKg, remark: `成本未知:${why},costEstimate仅为已知价格部分之和${limit}。` };
}

function notInBaseRemark({ base, notInBase }: ExploreRules): string {
  if (notInBase.length === 0) return '';
  const where = base.size > 0 ? '基础配方中没有' : '未提供基础配方,无从排除';
  return `${where}:${listed(notInBase)}。`;
}

const listed = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? `${names.slice(0, MOST_NAMES).join('、')}等${names.length}种`
    : names.join('、');
