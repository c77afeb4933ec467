/** Chinese words behind a name that say how pure a raw material is, and not what it is. */
export const CHINESE_GRADES: readonly string[] = [
  '化妆品级',
  '日化级',
  '食品级',
  '食用级',
  '医药级',
  '药用级',
  '分析纯',
  '化学纯',
  '工业级',
];

/** Chinese words for a raw material that holds a substance, and is not the pure substance. */
export const CHINESE_FORMS: readonly string[] = [
  '水溶液',
  '溶液',
  '预溶液?',
  '预溶胶',
  '预分散[液体]',
  '分散[液体]',
  '悬浮液',
  '乳化?液',
  '母液',
  '储备液',
  '稀释液?',
  '水剂',
  '浆料',
  '膏体',
  '预混[液物料合]?',
  '自乳化型?',
];

/** Chinese words alone in a bracket that name a salt, an ester or another derivative of the substance before them. */
export const CHINESE_DERIVATIVES: readonly string[] = [
  '(?:醋酸|乙酸|棕榈酸|磷酸|硬脂酸|月桂酸)酯',
  '(?:盐酸|硫酸|磷酸|钠|钾|铵)盐',
  '水解',
  '氢化',
  '包裹',
  '微囊',
];

/** Words and marks around the percentage of a strength: `约10%`, `30%-35%`, `28%活性物`. */
export const ABOUT = '约';
export const RANGE_TO = '[-–~至]';
export const CHINESE_MEASURED: readonly string[] = ['活性物?', '有效物', '含量'];
