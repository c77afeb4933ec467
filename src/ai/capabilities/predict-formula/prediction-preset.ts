import { isCompleteSum, percentageSum } from '../../../formulas/percentage-sum';
import { IngredientNames } from '../ingredient-names/ingredient-names';
import { type PredictInput } from './predict-input';

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
const OTHER_PRICE = 5;

/** Maximum number of names in a message. If there are more, it states their number. */
const MOST_NAMES = 5;

type Line = PredictInput['ingredients'][number];

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

const priceOf = ({ name, category }: Line, catalogue: IngredientNames): number =>
  catalogue.pricePerKg(name) ?? INDICATIVE_PRICE.get(category) ?? OTHER_PRICE;

const shareOf = ({ percentage }: Line): number => Math.min(100, Math.max(0, percentage));
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const within = (value: number): number => Math.round(Math.min(100, Math.max(0, value)));
const toCents = (value: number): number => Math.round(value * 100) / 100;

/** Returns a remark on the part of the formula that has catalogue prices. */
function costRemark(ingredients: readonly Line[], catalogue: IngredientNames): string {
  const present = ingredients.filter((line) => shareOf(line) > 0);
  const priced = present.filter(({ name }) => catalogue.pricePerKg(name) !== undefined);
  const percent = toCents(sumOf(priced.map(shareOf)));
  if (priced.length === 0) return '成本:没有成分有可用的目录价格,全部按类别的参考价估算。';
  if (priced.length === present.length) return '成本:全部按目录价格计算。';
  return `成本:用量${percent}%(${priced.length}种)按目录价格计算,其余${present.length - priced.length}种按类别的参考价估算。`;
}

function amountRemarks(ingredients: readonly Line[]): string {
  const sum = percentageSum(ingredients.map(({ percentage }) => percentage));
  const negative = ingredients.filter(({ percentage }) => percentage < 0).length;
  const above = ingredients.filter(({ percentage }) => percentage > 100).length;
  return (
    (isCompleteSum(sum) ? '' : `用量合计为${sum.round(4).toString()}%,不是100%,结果不可靠。`) +
    (negative > 0 ? `${negative}个成分的用量为负数,按0计。` : '') +
    (above > 0 ? `${above}个成分的用量超过100%,按100%计。` : '')
  );
}

function unknownRemark(ingredients: readonly Line[], catalogue: IngredientNames): string {
  const unknown = [...new Set(ingredients.map(({ name }) => name))].filter(
    (name) => !catalogue.isKnown(name),
  );
  if (unknown.length === 0) return '';
  const more = unknown.length > MOST_NAMES ? `等${unknown.length}种` : '';
  return `目录中没有的名称:${unknown.slice(0, MOST_NAMES).join('、')}${more}。`;
}
