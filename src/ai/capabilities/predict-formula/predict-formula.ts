import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { IngredientNames } from '../ingredient-names';
import { type Capability, COMMON_RULES, dataBlock } from '../../pipeline/capability';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import type { Reader } from '../../../platform/access/row-filter';
import { isCompleteSum, totalOf } from '../../../formulas/percentage-sum';

export interface PredictInput {
  readonly ingredients: readonly {
    readonly name: string;
    readonly percentage: number;
    readonly category: string;
  }[];
  /**
   * Catalogue names and prices of the ingredients. Without them, no price is known.
   * @internal
   */
  readonly catalogue?: IngredientNames;
}

const score = z.number().min(0).max(100);

const predictionSchema = z.object({
  sensoryIndex: z.object({
    spreadability: score.describe('0 drags on the skin, 100 glides without effort'),
    absorption: score.describe('0 stays on the surface, 100 is gone within seconds'),
    stickiness: score.describe('0 not tacky at all, 100 very tacky'),
    overall: score.describe('overall pleasantness on the skin, 0 to 100'),
  }),
  stabilityScore: score.describe(
    '0 separates at once, 100 passes three months at 45 °C and five freeze-thaw cycles',
  ),
  costEstimate: z.number().min(0).describe('raw-material cost of 1 kg of the finished product, in CNY'),
  confidence: z.number().min(0).max(1).describe('0 guess, 1 certain'),
  reasoning: z.string(),
});

export type Prediction = z.infer<typeof predictionSchema>;

const SYSTEM = `You are a senior cosmetic formulator with twenty years at the bench: emulsions, surfactant systems, gels, colour cosmetics
and sun care. You estimate how a formula will feel, how stable it will be and what its raw materials cost.

The data holds "ingredients": name (INCI, Chinese or trade name), percentage (% w/w) and category (function, for example emulsifier,
humectant, thickener, preservative, antioxidant, fragrance, colorant, ph_adjuster, sunscreen, surfactant, emollient, other).

Estimate:
- sensoryIndex.spreadability, .absorption, .stickiness, .overall: each 0 to 100. A HIGH stickiness is a BAD feel. Humectants above
  5 % and film formers raise stickiness; light esters and volatile silicones raise spreadability and absorption; heavy oils, waxes
  and butters lower absorption.
- stabilityScore: 0 to 100. Look at the emulsifier system and its amount against the oil phase, HLB, the thickener and its tolerance
  of electrolytes and pH, the preservative's suitability, oxidation-prone oils, and incompatibilities (cationic with anionic,
  carbomer with salts, ascorbic acid in water, retinol without antioxidant). No preservative in a water-based formula costs points.
- costEstimate: raw-material cost of ONE KILOGRAM of finished product in CNY, industrial quantities, without packaging and labour:
  the sum of percentage / 100 × price per kg.
- confidence: 0 to 1. Lower it when names are ambiguous or trade names hide their composition, when the total is far from 100, or
  when decisive data (pH, process) is missing. When unsure, give your best estimate, say what is missing, and lower confidence;
  never leave the stated ranges.
- reasoning: 2 to 5 sentences: which ingredients decide the result, the main risk, and what you assumed.

${COMMON_RULES}`;

export const predictFormula: Capability<PredictInput, Prediction> = {
  name: 'predict-formula',
  schema: predictionSchema,
  whenFailed: 'preset',
  maxTokens: 4096,
  prompt: (input) => ({ system: SYSTEM, user: dataBlock({ ingredients: input.ingredients }) }),
  preset: presetPrediction,
  alsoDependsOn: ({ catalogue }) => catalogue?.digest() ?? '',
};

/** Converts a request to the input of a prediction. */
@Injectable()
export class FormulaPrediction {
  constructor(private readonly resolver: IngredientResolver) {}

  /** Returns the input with catalogue data of its ingredients, as far as the user can read it. */
  async withCatalogue(reader: Reader, { ingredients }: PredictInput): Promise<PredictInput> {
    const names = ingredients.map(({ name }) => name);
    return { ingredients, catalogue: await IngredientNames.of(this.resolver, reader, names) };
  }
}

/** Indicative prices in CNY per kg, for ingredients without a catalogue price. */
const INDICATIVE_PRICE: ReadonlyMap<string, number> = new Map([
  ['emulsifier', 80],
  ['humectant', 15],
  ['thickener', 120],
  ['preservative', 90],
  ['antioxidant', 150],
  ['fragrance', 300],
  ['colorant', 110],
  ['ph_adjuster', 20],
  ['sunscreen', 200],
  ['surfactant', 18],
  ['emollient', 45],
]);
/** Maximum number of names in a message. If there are more, it states their number. */
const MOST_NAMES = 5;

type PredictedLine = PredictInput['ingredients'][number];

/** Returns the values that can be computed without a model, with remarks on their limits. */
export function presetPrediction(input: PredictInput) {
  const { ingredients, catalogue = new IngredientNames() } = input;
  const share = (category: string): number =>
    sumOf(ingredients.filter((line) => line.category === category).map(shareOf));
  const spreadability = within(60 + share('emollient') - share('thickener') * 5);
  const absorption = within(75 - share('emollient'));
  const stickiness = within(15 + share('humectant') * 2 + share('thickener') * 3);
  return {
    sensoryIndex: {
      spreadability,
      absorption,
      stickiness,
      overall: within((spreadability + absorption + 100 - stickiness) / 3),
    },
    stabilityScore: within(60 + (share('emulsifier') > 0 ? 10 : 0) + (share('preservative') > 0 ? 10 : 0)),
    costEstimate: toCents(sumOf(ingredients.map((line) => (shareOf(line) / 100) * priceOf(line, catalogue)))),
    confidence: 0.3,
    reasoning:
      `预设结果,未经模型分析:仅按 ${ingredients.length} 个成分的类别与用量作粗略估算,不可用于配方决策。` +
      costRemark(ingredients, catalogue) +
      amountRemarks(ingredients) +
      unknownRemark(ingredients, catalogue),
  };
}

const priceOf = ({ name, category }: PredictedLine, catalogue: IngredientNames): number =>
  catalogue.pricePerKg(name) ?? INDICATIVE_PRICE.get(category) ?? 5;

const shareOf = ({ percentage }: PredictedLine): number => Math.min(100, Math.max(0, percentage));
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const within = (value: number): number => Math.round(Math.min(100, Math.max(0, value)));
const toCents = (value: number): number => Math.round(value * 100) / 100;

/** Returns a remark on the part of the formula that has catalogue prices. */
function costRemark(ingredients: readonly PredictedLine[], catalogue: IngredientNames): string {
  const present = ingredients.filter((line) => shareOf(line) > 0);
  const priced = present.filter(({ name }) => catalogue.pricePerKg(name) !== undefined);
  const percent = toCents(sumOf(priced.map(shareOf)));
  if (priced.length === 0) return '成本:没有成分有可用的目录价格,全部按类别的参考价估算。';
  if (priced.length === present.length) return '成本:全部按目录价格计算。';
  return `成本:用量${percent}%(${priced.length}种)按目录价格计算,其余${present.length - priced.length}种按类别的参考价估算。`;
}

function amountRemarks(ingredients: readonly PredictedLine[]): string {
  const sum = totalOf([{ ingredients }]);
  const negative = ingredients.filter(({ percentage }) => percentage < 0).length;
  const above = ingredients.filter(({ percentage }) => percentage > 100).length;
  return (
    (isCompleteSum(sum) ? '' : `用量合计为${sum.round(4).toString()}%,不是100%,结果不可靠。`) +
    (negative > 0 ? `${negative}个成分的用量为负数,按0计。` : '') +
    (above > 0 ? `${above}个成分的用量超过100%,按100%计。` : '')
  );
}

function unknownRemark(ingredients: readonly PredictedLine[], catalogue: IngredientNames): string {
  const unknown = [...new Set(ingredients.map(({ name }) => name))].filter(
    (name) => !catalogue.isKnown(name),
  );
  if (unknown.length === 0) return '';
  const more = unknown.length > MOST_NAMES ? `等${unknown.length}种` : '';
  return `目录中没有的名称:${unknown.slice(0, MOST_NAMES).join('、')}${more}。`;
}
