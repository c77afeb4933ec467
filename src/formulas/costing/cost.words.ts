import type { DocumentLanguage } from '../../documents/document';
import type { FormulaCostDto } from './cost.dto';

type Reason = FormulaCostDto['unpriced'][number]['reason'];

interface CostWords {
  title: (formula: string, version: number) => string;
  fileName: (formula: string, version: number) => string;
  tables: Record<'lines' | 'phases', string>;
  facts: Record<'batch' | 'costPerKg' | 'cost' | 'total' | 'priced', string>;
  /** In place of a cost that is not known. */
  unknown: (known: string) => string;
  columns: Record<
    | 'phase'
    | 'ingredient'
    | 'pricePerUnit'
    | 'knownCost'
    | 'inciName'
    | 'chineseName'
    | 'percentage'
    | 'price'
    | 'unit'
    | 'costPerKg'
    | 'reason'
    | 'priced',
    string
  >;
  cost: (batch: string) => string;
  sum: string;
  /** The sum of the known costs, where others are unknown. */
  knownSum: string;
  reasons: Record<Reason, string>;
  notes: Record<'prices' | 'incomplete' | 'decimals', string>;
  unscaled: (total: string) => string;
}

export const COST_WORDS: Readonly<Record<DocumentLanguage, CostWords>> = {
  zh: {
    title: (formula, version) => `原料成本：${formula}（第 ${version} 版）`,
    fileName: (formula, version) => `${formula}-v${version}-成本`,
    tables: { lines: '各成分成本', phases: '各相成本' },
    facts: {
      batch: '批量',
      costPerKg: '每千克成本',
      cost: '整批成本',
      total: '配方合计（%）',
      priced: '有价格的占比（%）',
    },
    unknown: (known) => `未知（已知部分 ${known}）`,
    columns: {
      phase: '相',
      ingredient: '成分',
      pricePerUnit: '单价',
      knownCost: '整批已知部分',
      inciName: 'INCI 名称',
      chineseName: '中文名称',
      percentage: '%',
      price: '单价',
      unit: '计价单位',
      costPerKg: '每千克成本',
      reason: '未计价原因',
      priced: '有价格的占比（%）',
    },
    cost: (batch) => `${batch} 成本`,
    sum: '合计',
    knownSum: '已知部分合计',
    reasons: {
      'no-price': '没有单价',
      hidden: '无权查看该成分',
      volume: '按体积计价，缺少密度',
      'unknown-unit': '无法识别的计价单位',
    },
    notes: {
      prices: '按成分目录的当前单价计算，只含原料成本；金额单位与目录一致。',
      incomplete: '部分成分没有可用价格，总成本未知；已知部分不能当作总成本。',
      decimals: '页面上的成本四舍五入到 4 位小数，合计由未修约的数值得出。',
    },
    unscaled: (total) => `配方各成分合计为 ${total}%，成本按录入的百分比计算，未换算到 100%。`,
  },
  en: {
    title: (formula, version) => `Cost of raw materials: ${formula} (version ${version})`,
    fileName: (formula, version) => `${formula}-v${version}-cost`,
    tables: {
      lines: 'Cost by ingredient',
      phases: 'Cost by phase',
    },
    facts: {
      batch: 'Batch',
      costPerKg: 'Cost per kg',
      cost: 'Cost of the batch',
      total: 'Total of the formula (%)',
      priced: 'Share with a price (%)',
    },
    unknown: (known) => `unknown (known part: ${known})`,
    columns: {
      phase: 'Phase',
      ingredient: 'Ingredient',
      pricePerUnit: 'Price',
      knownCost: 'Known part of the batch',
      inciName: 'INCI name',
      chineseName: 'Chinese name',
      percentage: '%',
      price: 'Price',
      unit: 'per',
      costPerKg: 'Cost per kg',
      reason: 'Why unknown',
      priced: 'Share with a price (%)',
    },
    cost: (batch) => `Cost of ${batch}`,
    sum: 'Total',
    knownSum: 'Total of the known part',
    reasons: {
      'no-price': 'no price',
      hidden: 'hidden from you',
      volume: 'priced by volume, density unknown',
      'unknown-unit': 'unit of the price is not recognised',
    },
    notes: {
      prices: "Raw materials only, in the catalogue's present prices and currency.",
      incomplete:
        'Some lines have no usable price, so the total is unknown. The known part is not the total.',
      decimals: 'Costs on the page are rounded half up to 4 decimals; sums are made of unrounded values.',
    },
    unscaled: (total) =>
      `The percentages of the formula add up to ${total}%; costs are of the percentages as entered, not scaled to 100%.`,
  },
};
