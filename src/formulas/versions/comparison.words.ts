import type { DocumentLanguage } from '../../documents/document';
import type { LineChange, PhaseChange } from './comparison/comparison';

interface ComparisonWords {
  readonly title: string;
  readonly earlier: string;
  readonly later: string;
  /** Number of a version, as it stands after the formula's name. */
  readonly version: string;
  readonly lines: string;
  readonly phases: string;
  readonly sums: string;
  readonly change: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly place: FromToWords;
  readonly percentage: FromToWords;
  readonly notes: FromToWords;
  readonly phaseName: FromToWords;
  readonly order: FromToWords;
  readonly difference: string;
  readonly item: string;
  readonly total: string;
  readonly costPerKg: string;
  readonly knownCostPerKg: string;
  readonly pricedPercentage: string;
  readonly changes: Readonly<Record<LineChange['change'] | PhaseChange['change'], string>>;
  readonly noDifference: string;
  readonly currentPrices: string;
  readonly incompletePrices: string;
}

type FromToWords = readonly [from: string, to: string];

export const COMPARISON_WORDS: Readonly<Record<DocumentLanguage, ComparisonWords>> = {
  zh: {
    title: '配方版本对比',
    earlier: '对比前',
    later: '对比后',
    version: '版本',
    lines: '成分变化',
    phases: '相的变化',
    sums: '合计与成本',
    change: '变化',
    inciName: 'INCI 名称',
    chineseName: '中文名称',
    place: ['原位置', '现位置'],
    percentage: ['原用量 %', '现用量 %'],
    notes: ['原工艺说明', '现工艺说明'],
    phaseName: ['原名称', '现名称'],
    order: ['原次序', '现次序'],
    difference: '差值',
    item: '项目',
    total: '用量合计 %',
    costPerKg: '每千克成本',
    knownCostPerKg: '每千克成本（仅已定价成分）',
    pricedPercentage: '已定价成分占比 %',
    changes: {
      added: '新增',
      removed: '删除',
      changed: '修改',
      moved: '移动',
      renamed: '更名',
      reordered: '调整次序',
    },
    noDifference: '两个版本的组成完全相同。',
    currentPrices: '成本按成分库当前价格计算，未列出的成分没有变化。',
    incompletePrices: '部分成分没有可用价格，因此不给出每千克成本及其差值。',
  },
  en: {
    title: 'Comparison of versions',
    earlier: 'From',
    later: 'To',
    version: 'version',
    lines: 'Ingredient lines',
    phases: 'Phases',
    sums: 'Totals and cost',
    change: 'Change',
    inciName: 'Ingredient (INCI)',
    chineseName: 'Chinese name',
    place: ['Place before', 'Place after'],
    percentage: ['% before', '% after'],
    notes: ['Notes before', 'Notes after'],
    phaseName: ['Name before', 'Name after'],
    order: ['Order before', 'Order after'],
    difference: 'Δ',
    item: 'Item',
    total: 'Total %',
    costPerKg: 'Cost per kg',
    knownCostPerKg: 'Cost per kg of the priced lines',
    pricedPercentage: 'Priced lines, % of the formula',
    changes: {
      added: 'added',
      removed: 'removed',
      changed: 'changed',
      moved: 'moved',
      renamed: 'renamed',
      reordered: 'reordered',
    },
    noDifference: 'Both versions have the same composition.',
    currentPrices: "Costs are by the catalogue's current prices. Lines that are not listed have not changed.",
    incompletePrices: 'Some lines have no usable price, so the cost per kg and its difference are not known.',
  },
};
