import type { DocumentLanguage } from '../../documents/document';

interface BatchWords {
  title: (formula: string, version: number) => string;
  fileName: (formula: string, version: number, mass: string) => string;
  table: string;
  facts: Record<'mass' | 'step' | 'total' | 'largestError' | 'largestErrorOfLine', string>;
  columns: Record<
    | 'number'
    | 'phase'
    | 'ingredient'
    | 'inciName'
    | 'chineseName'
    | 'percentage'
    | 'notes'
    | 'lot'
    | 'weighedBy'
    | 'initials',
    string
  >;
  weight: (unit: string) => string;
  sum: string;
  handwritten: readonly string[];
  error: (error: string, unit: string, percent: string, ingredient: string) => string;
  scaled: (total: string) => string;
  belowStep: (ingredients: readonly string[]) => string;
  rounded: string;
}

export const BATCH_WORDS: Readonly<Record<DocumentLanguage, BatchWords>> = {
  zh: {
    title: (formula, version) => `配料单：${formula}（第 ${version} 版）`,
    fileName: (formula, version, mass) => `${formula}-v${version}-配料单-${mass}`,
    table: '称量',
    facts: {
      mass: '批量',
      step: '天平分度值',
      total: '配方合计（%）',
      largestError: '最大修约误差',
      largestErrorOfLine: '最大相对修约误差',
    },
    columns: {
      number: '序号',
      phase: '相',
      ingredient: '成分',
      inciName: 'INCI 名称',
      chineseName: '中文名称',
      percentage: '%',
      notes: '工艺说明',
      lot: '批号',
      weighedBy: '称量人',
      initials: '签名',
    },
    weight: (unit) => `称量值（${unit}）`,
    sum: '合计',
    handwritten: ['生产批号', '日期', '设备', '审核'],
    error: (error, unit, percent, ingredient) => `${error} ${unit}，占该行 ${percent}%（${ingredient}）`,
    scaled: (total) => `配方各成分合计为 ${total}%，称量值已按比例换算，使总量等于批量。`,
    belowStep: (ingredients) =>
      `以下成分的用量小于天平分度值，请改用精度更高的天平或预混物：${ingredients.join('、')}。`,
    rounded: '称量值按天平分度值修约（最大余数法），合计与批量完全一致。',
  },
  en: {
    title: (formula, version) => `Batch sheet: ${formula} (version ${version})`,
    fileName: (formula, version, mass) => `${formula}-v${version}-batch-${mass}`,
    table: 'Weighing',
    facts: {
      mass: 'Batch',
      step: 'Step of the balance',
      total: 'Total of the formula (%)',
      largestError: 'Largest rounding error',
      largestErrorOfLine: 'Largest relative rounding error',
    },
    columns: {
      number: 'No.',
      phase: 'Phase',
      ingredient: 'Ingredient',
      inciName: 'INCI name',
      chineseName: 'Chinese name',
      percentage: '%',
      notes: 'Process notes',
      lot: 'Lot',
      weighedBy: 'Weighed by',
      initials: 'Initials',
    },
    weight: (unit) => `Weight (${unit})`,
    sum: 'Total',
    handwritten: ['Batch number', 'Date', 'Equipment', 'Approved by'],
    error: (error, unit, percent, ingredient) => `${error} ${unit}, ${percent}% of the line (${ingredient})`,
    scaled: (total) =>
      `The percentages of the formula add up to ${total}%; the weights are scaled in proportion so that they make the batch.`,
    belowStep: (ingredients) =>
      `Less than one step of the balance; use a finer balance or a premix: ${ingredients.join(', ')}.`,
    rounded:
      'Weights are rounded to the step of the balance (largest remainder) and add up to exactly the batch.',
  },
};
