import type { DocumentLanguage } from '../../documents/document';

/** Why rows of a table of limits are not taken. */
export const REFUSALS = {
  'unreadable-cell': { en: 'a cell cannot be read', zh: '单元格无法读取' },
  'unknown-columns': {
    en: 'the columns are those of no known table of limits',
    zh: '表头不是已知的限值表格式',
  },
  'annex-unknown': {
    en: 'neither the row nor the lines above the header name the annex',
    zh: '该行及表头上方均未注明附录',
  },
  'region-missing': { en: 'the region is missing', zh: '缺少地区' },
  'entry-missing': { en: 'the entry is missing', zh: '缺少序号' },
  'source-missing': { en: 'the source is missing', zh: '缺少来源' },
  'too-long': { en: 'the cell is too long', zh: '单元格内容过长' },
  'moved-or-deleted': { en: 'the entry was moved or deleted', zh: '该条目已移动或删除' },
  'no-name-and-no-cas': {
    en: 'there is neither an INCI name nor a CAS number',
    zh: 'INCI 名称和 CAS 号均为空',
  },
  'wrong-cas-number': {
    en: 'this is no CAS number, or its check digit is wrong',
    zh: 'CAS 号格式或校验位有误',
  },
  'unknown-kind': {
    en: 'the kind is none of prohibited, maximum, declare-above, permitted-only',
    zh: '类型必须是 prohibited、maximum、declare-above 或 permitted-only',
  },
  'limit-missing': { en: 'there is no number', zh: '没有限值数字' },
  'limit-of-prohibited': { en: 'a prohibited substance has no limit', zh: '禁用物质不应有限值' },
  'not-one-number': {
    en: 'the limit is not one number of at most 100 percent',
    zh: '限值不是不超过100%的单个数字',
  },
  'not-a-factor': {
    en: 'the factor is not a number above 0 with a decimal point',
    zh: '系数不是大于0的数字(小数点用点号)',
  },
  'two-numbers': { en: 'the limit has several numbers', zh: '限值包含多个数字' },
  'ambiguous-comma': {
    en: 'the comma could be a decimal comma or between thousands',
    zh: '逗号可能是小数点,也可能是千分位',
  },
  'number-in-other-column': {
    en: 'the number is in a column of words, not in that of the limit',
    zh: '数字写在说明栏而不在限值栏',
  },
  'words-only': { en: 'the rule is given in words, without a percentage', zh: '规定仅为文字,没有百分比' },
  'scope-in-limit': { en: 'the cell of the limit names a product type', zh: '限值单元格中写有产品类型' },
  'tiers-do-not-pair': {
    en: 'the letters of the product types and of the limits do not pair up',
    zh: '产品类型与限值的分项字母不对应',
  },
  'unknown-unit': { en: 'it is not known which form the limit counts', zh: '无法识别限值的计量形式' },
  'duty-of-one-tier': {
    en: 'the duty to declare belongs to some of the product types only',
    zh: '标注义务仅适用于部分产品类型',
  },
  'not-a-date': { en: 'this is no day, such as 2026-12-31', zh: '不是有效日期,格式如 2026-12-31' },
  'reversed-dates': { en: 'it ends before it begins', zh: '结束日期早于开始日期' },
} as const satisfies Record<string, Readonly<Record<DocumentLanguage, string>>>;

export type RefusalCode = keyof typeof REFUSALS;
