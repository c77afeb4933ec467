import { defineTexts } from '../platform/texts/define-texts';
import type { DocumentLanguage } from '../documents/document';
import type { NamedIngredientDto } from './formula.fields';

/** The texts of batch sheets, costs, comparisons of versions, and solutions. */
export const formulaTexts = defineTexts({
  'formula.no-phase': ['未分相', 'no phase'],
  'formula.phase': ['相', 'Phase'],
  'formula.ingredient': ['成分', 'Ingredient'],
  'formula.inci-name': ['INCI 名称', 'INCI name'],
  'formula.chinese-name': ['中文名称', 'Chinese name'],
  'formula.sum': ['合计', 'Total'],
  'formula.total': ['配方合计（%）', 'Total of the formula (%)'],
  'formula.cost-per-kg': ['每千克成本', 'Cost per kg'],

  'batch.title': ['配料单：{formula}（第 {version} 版）', 'Batch sheet: {formula} (version {version})'],
  'batch.file-name': ['{formula}-v{version}-配料单-{mass}', '{formula}-v{version}-batch-{mass}'],
  'batch.mass': ['批量', 'Batch'],
  'batch.step': ['天平分度值', 'Step of the balance'],
  'batch.largest-error': ['最大修约误差', 'Largest rounding error'],
  'batch.largest-error-of-line': ['最大相对修约误差', 'Largest relative rounding error'],
  'batch.error': [
    '{error} {unit}，占该行 {percent}%（{ingredient}）',
    '{error} {unit}, {percent}% of the line ({ingredient})',
  ],
  'batch.product-type': ['产品类型', 'Product type'],
  'batch.volume': ['体积（L）', 'Volume (L)'],
  'batch.packs': ['可装包数（{pack}）', 'Full packs ({pack})'],
  'batch.packs-text': ['{count}，剩余 {rest} {unit}', '{count}, and {rest} {unit} remain'],
  'batch.no-density': ['未知，缺少密度', 'unknown without a density'],
  'batch.mixed-with': ['使用前混合', 'Mixed before use'],
  'batch.mixed-with-text': ['与 {name} 按 1 : {ratio}（质量比）', 'with {name}, 1 : {ratio} by mass'],
  'batch.hidden': ['无权查看的配方', 'a formula that you may not see'],
  'batch.number': ['生产批号', 'Batch number'],
  'batch.date': ['日期', 'Date'],
  'batch.equipment': ['设备', 'Equipment'],
  'batch.approved-by': ['审核', 'Approved by'],
  'batch.weighing': ['称量', 'Weighing'],
  'batch.line-number': ['序号', 'No.'],
  'batch.code': ['原料代码', 'Code'],
  'batch.trade-name': ['商品名', 'Trade name'],
  'batch.supplier': ['供应商', 'Supplier'],
  'batch.weight': ['称量值（{unit}）', 'Weight ({unit})'],
  'batch.notes': ['工艺说明', 'Process notes'],
  'batch.lot': ['批号', 'Lot'],
  'batch.weighed-by': ['称量人', 'Weighed by'],
  'batch.initials': ['签名', 'Initials'],
  'batch.rounded': [
    '称量值按天平分度值修约（最大余数法），合计与批量完全一致。',
    'Weights are rounded to the step of the balance (largest remainder) and add up to exactly the batch.',
  ],
  'batch.scaled': [
    '配方各成分合计为 {total}%，称量值已按比例换算，使总量等于批量。',
    'The percentages of the formula add up to {total}%; the weights are scaled in proportion so that they make the batch.',
  ],
  'batch.finer-balance': ['{weight}（天平精度不足）', '{weight} (finer balance)'],
  'batch.below-step': [
    '以下成分的用量小于天平分度值，请改用精度更高的天平或预混物：{ingredients}。',
    'Less than one step of the balance; use a finer balance or a premix: {ingredients}.',
  ],

  'cost.title': [
    '原料成本：{formula}（第 {version} 版）',
    'Cost of raw materials: {formula} (version {version})',
  ],
  'cost.file-name': ['{formula}-v{version}-成本', '{formula}-v{version}-cost'],
  'cost.by-ingredient': ['各成分成本', 'Cost by ingredient'],
  'cost.by-phase': ['各相成本', 'Cost by phase'],
  'cost.currency': ['币种', 'Currency'],
  'cost.rates': ['汇率', 'Exchange rates'],
  'cost.batch': ['批量', 'Batch'],
  'cost.of-batch': ['整批成本', 'Cost of the batch'],
  'cost.of': ['{batch} 成本', 'Cost of {batch}'],
  'cost.priced': ['有价格的占比（%）', 'Share with a price (%)'],
  'cost.unknown': ['未知（已知部分 {known}）', 'unknown (known part: {known})'],
  'cost.known-part': ['整批已知部分', 'Known part of the batch'],
  'cost.known-sum': ['已知部分合计', 'Total of the known part'],
  'cost.price': ['单价', 'Price'],
  'cost.unit': ['计价单位', 'per'],
  'cost.reason': ['未计价原因', 'Why unknown'],
  'cost.reason.no-price': ['没有单价', 'no price'],
  'cost.reason.hidden': ['无权查看该成分', 'hidden from you'],
  'cost.reason.volume': ['按体积计价，缺少密度', 'priced by volume, density unknown'],
  'cost.reason.unknown-unit': ['无法识别的计价单位', 'unit of the price is not recognised'],
  'cost.reason.other-currency': ['价格使用其他币种', 'the price is in another currency'],
  'cost.reason.price-too-high': ['单价超过每千克1万亿', 'the price is above 1e12 per kg'],
  'cost.of-pack': ['每包成本（{pack}）', 'Cost of a pack ({pack})'],
  'cost.target': ['目标成本', 'Target cost'],
  'cost.target-text': ['{amount} {currency} / {per}：{result}', '{amount} {currency} per {per}: {result}'],
  'cost.per.kg': ['kg', 'kg'],
  'cost.per.pack': ['包', 'pack'],
  'cost.target.within': ['未超出', 'not exceeded'],
  'cost.target.above': ['已超出', 'exceeded'],
  'cost.target.incomplete': ['未知，成本不完整', 'unknown, the cost is incomplete'],
  'cost.target.other-currency': ['未知，价格使用其他币种', 'unknown, prices are in another currency'],
  'cost.target.no-pack-mass': [
    '未知，缺少包装规格或密度',
    'unknown without a pack size and, for a volume, a density',
  ],
  'cost.currency-assumed': [
    '价格没有注明币种，与目标成本比较时视为 {currency}。',
    'Prices name no currency. They are compared with the target cost as {currency}.',
  ],
  'cost.prices': [
    '按成分目录的当前单价计算，没有单价的按首选供应商的价格计算；只含原料成本。',
    "Raw materials only, by the catalogue's present prices or, without one, those of the preferred supplier.",
  ],
  'cost.decimals': [
    '页面上的成本四舍五入到 4 位小数，合计由未修约的数值得出。',
    'Costs on the page are rounded half up to 4 decimals; sums are made of unrounded values.',
  ],
  'cost.incomplete': [
    '部分成分没有可用价格，总成本未知；已知部分不能当作总成本。',
    'Some lines have no usable price, so the total is unknown. The known part is not the total.',
  ],
  'cost.unscaled': [
    '配方各成分合计为 {total}%，成本按录入的百分比计算，未换算到 100%。',
    'The percentages of the formula add up to {total}%; costs are of the percentages as entered, not scaled to 100%.',
  ],

  'comparison.title': ['配方版本对比', 'Comparison of versions'],
  'comparison.earlier': ['对比前', 'From'],
  'comparison.later': ['对比后', 'To'],
  'comparison.version': [
    '{formula} · 版本 {version} · {createdAt} UTC',
    '{formula} · version {version} · {createdAt} UTC',
  ],
  'comparison.lines': ['成分变化', 'Ingredient lines'],
  'comparison.phases': ['相的变化', 'Phases'],
  'comparison.sums': ['合计与成本', 'Totals and cost'],
  'comparison.change': ['变化', 'Change'],
  'comparison.change.added': ['新增', 'added'],
  'comparison.change.removed': ['删除', 'removed'],
  'comparison.change.changed': ['修改', 'changed'],
  'comparison.change.moved': ['移动', 'moved'],
  'comparison.change.renamed': ['更名', 'renamed'],
  'comparison.change.reordered': ['调整次序', 'reordered'],
  'comparison.inci-name': ['INCI 名称', 'Ingredient (INCI)'],
  'comparison.place-before': ['原位置', 'Place before'],
  'comparison.place-after': ['现位置', 'Place after'],
  'comparison.percentage-before': ['原用量 %', '% before'],
  'comparison.percentage-after': ['现用量 %', '% after'],
  'comparison.difference': ['差值', 'Δ'],
  'comparison.notes-before': ['原工艺说明', 'Notes before'],
  'comparison.notes-after': ['现工艺说明', 'Notes after'],
  'comparison.name-before': ['原名称', 'Name before'],
  'comparison.name-after': ['现名称', 'Name after'],
  'comparison.order-before': ['原次序', 'Order before'],
  'comparison.order-after': ['现次序', 'Order after'],
  'comparison.item': ['项目', 'Item'],
  'comparison.total': ['用量合计 %', 'Total %'],
  'comparison.known-cost-per-kg': ['每千克成本（仅已定价成分）', 'Cost per kg of the priced lines'],
  'comparison.priced': ['已定价成分占比 %', 'Priced lines, % of the formula'],
  'comparison.no-difference': ['两个版本的组成完全相同。', 'Both versions have the same composition.'],
  'comparison.current-prices': [
    '成本按成分库当前价格计算，未列出的成分没有变化。',
    "Costs are by the catalogue's current prices. Lines that are not listed have not changed.",
  ],
  'comparison.incomplete-prices': [
    '部分成分没有可用价格，因此不给出每千克成本及其差值。',
    'Some lines have no usable price, so the cost per kg and its difference are not known.',
  ],

  'solve.bounds': ['{name}：{min}%～{max}%', '{name}: {min} to {max}%'],
  'solve.phase': ['“{name}”合计：{min}%～{max}%', 'Phase {name}: {min} to {max}%'],
  'solve.substance': ['物质 {key}：{min}%～{max}%', 'Substance {key}: {min} to {max}%'],
  'solve.keep': ['保留 {name}，用量不变', '{name} stays as it is'],
  'solve.exclude': ['去除 {name}', 'Without {name}'],
  'solve.add': [
    '新加入的 {category} 类成分合计不超过 {max}%',
    'New ingredients of {category}: at most {max}%',
  ],
  'solve.others': ['未设范围的成分用量不变', 'Ingredients without bounds stay as they are'],
  'solve.max-cost': ['每千克成本不超过 {max}', 'Cost per kg: at most {max}'],
  'solve.held': ['{name} 用量不变：{reason}', '{name} stays as it is: {reason}'],
  'solve.candidates': [
    '{category} 类成分：目录中有 {total} 种未用，考虑了 {count} 种',
    '{category}: {count} of {total} further ingredients of the catalogue were considered',
  ],
  'solve.held.no-usable-price': ['没有可用价格', 'it has no usable price'],
  'solve.held.composition-unknown': ['组成未知', 'its composition is not known'],
});

/** Renders the texts in the language of a page or file. */
export type FormulaText = ReturnType<typeof formulaTexts.in>;

export const nameIn = ({ inciName, chineseName }: NamedIngredientDto, language: DocumentLanguage): string =>
  language === 'zh' ? chineseName : inciName;

/** The name of a phase; the one that the service gives is shown in the reader's language. */
export const phaseIn = (name: string, t: FormulaText): string =>
  name === NO_PHASE ? t('formula.no-phase') : name;

/** Both names in one cell, the reader's first. */
export const bothNames = (
  { inciName, chineseName }: NamedIngredientDto,
  language: DocumentLanguage,
): string => (language === 'zh' ? [chineseName, inciName] : [inciName, chineseName]).join('\n');

/* The service writes these into records, where the user has not said anything else. They are stored, so they have one
 * language. */

/** Why a version was made that was restored. */
export const restoredFrom = (versionNumber: number): string => `恢复自版本 ${versionNumber}`;

/** The phase of lines of a text that names no phases. */
export const NO_PHASE = '未分相';

/** Ends the name of a copy. */
export const COPY_SUFFIX = '（副本）';

/** The product types of labels and screenings. Each is specific enough to determine if a product stays on. */
export const PRODUCT_TYPE_NAMES = {
  'face-leave-on': ['面部驻留类', 'face, leave-on'],
  'face-rinse-off': ['面部淋洗类', 'face, rinse-off'],
  'eye-leave-on': ['眼部驻留类', 'eye area, leave-on'],
  'eye-make-up': ['眼部彩妆', 'eye make-up'],
  'make-up-remover': ['卸妆产品', 'make-up remover'],
  lip: ['唇部产品', 'lip product'],
  'face-make-up': ['面部彩妆', 'face make-up'],
  'face-powder': ['面部粉类', 'face powder'],
  'body-lotion': ['身体乳', 'body lotion'],
  'body-leave-on': ['身体驻留类', 'body, leave-on'],
  'body-spray': ['身体喷雾', 'body spray'],
  'hand-leave-on': ['手部驻留类', 'hand, leave-on'],
  'hand-wash': ['洗手产品', 'hand wash'],
  'foot-leave-on': ['足部驻留类', 'foot, leave-on'],
  'shower-and-bath': ['沐浴产品', 'shower and bath'],
  soap: ['皂类', 'soap'],
  'sunscreen-face': ['面部防晒', 'sunscreen for the face'],
  'sunscreen-body': ['身体防晒', 'sunscreen for the body'],
  'sunscreen-spray': ['防晒喷雾', 'sunscreen spray'],
  'self-tanning-face': ['面部自晒黑产品', 'self-tanning for the face'],
  'self-tanning-body': ['身体自晒黑产品', 'self-tanning for the body'],
  deodorant: ['止汗除臭产品', 'deodorant'],
  'deodorant-spray': ['止汗除臭喷雾', 'deodorant spray'],
  fragrance: ['香水类', 'fragrance product'],
  shampoo: ['洗发产品', 'shampoo'],
  'anti-dandruff-shampoo': ['去屑洗发产品', 'anti-dandruff shampoo'],
  'hair-rinse-off': ['发用淋洗类', 'hair, rinse-off'],
  'hair-leave-on': ['发用驻留类', 'hair, leave-on'],
  'hair-spray': ['发用喷雾', 'hair spray'],
  'hair-dye': ['染发产品', 'hair dye'],
  'hair-straightening': ['直发产品', 'hair straightening'],
  nail: ['甲用产品', 'nail product'],
  toothpaste: ['牙膏', 'toothpaste'],
  mouthwash: ['漱口水', 'mouthwash'],
  'baby-leave-on': ['婴幼儿驻留类', 'baby, leave-on'],
  'baby-rinse-off': ['婴幼儿淋洗类', 'baby, rinse-off'],
  'intimate-leave-on': ['私处驻留类', 'intimate area, leave-on'],
} as const;

/** Also the types of labels that only say whether the product stays on. */
const NAMES_OF_LABELS = {
  ...PRODUCT_TYPE_NAMES,
  'leave-on': ['驻留类', 'leave-on'],
  'rinse-off': ['淋洗类', 'rinse-off'],
} as const;
type NamedType = keyof typeof NAMES_OF_LABELS;

const texts = defineTexts(
  Object.fromEntries(
    Object.entries(NAMES_OF_LABELS).map(([type, names]) => [`product-type.${type}`, names]),
  ) as Record<`product-type.${NamedType}`, readonly [string, string]>,
);

/** The name of a product type. */
export const productTypeIn = (type: NamedType, language: string): string =>
  texts.in(language)(`product-type.${type}`);
