import { z } from 'zod';
import { type Capability } from '../../pipeline/capability';
import { explorePreset } from './explore-preset';
import { keepsToRequest, type ExploreInput } from './explore-rules';
import { COMMON_RULES, dataBlock } from '../prompt-data';

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

/** Proposes variants of a formula, one after the other. */
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
