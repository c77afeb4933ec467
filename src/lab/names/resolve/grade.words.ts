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
