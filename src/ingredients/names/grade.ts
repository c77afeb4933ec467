import { visibleText } from '../../platform/common/name-forms';

/** A percentage from this value on is the purity of a raw material; below it, the strength of a solution. */
const PUREST = 98;

/** A name without its grade, that is, the purity, strength or form of the raw material. */
export interface Ungraded {
  readonly name: string;
  /** The grade, as written. */
  readonly grade: string;
  /** True if the grade may mean another material: a solution of 10 % is not the substance. */
  readonly isStrength: boolean;
}

/** Chinese words behind a name that say how pure a raw material is, and not what it is. */
const CHINESE_GRADES: readonly string[] = [
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
const CHINESE_FORMS: readonly string[] = [
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
  '纳米级?',
];

/** Chinese words alone in a bracket that name a salt, an ester or another derivative of the substance before them. */
const CHINESE_DERIVATIVES: readonly string[] = [
  '(?:醋酸|乙酸|棕榈酸|磷酸|硬脂酸|月桂酸)酯',
  '(?:盐酸|硫酸|磷酸|钠|钾|铵)盐',
  '水解',
  '氢化',
  '包裹',
  '微囊',
];

/** Words and marks around the percentage of a strength: `约10%`, `30%-35%`, `28%活性物`. */
const ABOUT = '约';
const RANGE_TO = '[-–~至]';
const CHINESE_MEASURED: readonly string[] = ['活性物?', '有效物', '含量'];

const LATIN_GRADES = ['cosmetic grade', 'food grade', 'pharma grade', 'USP', 'BP', 'EP'];
const GRADE = String.raw`(?:${CHINESE_GRADES.join('|')}|(?<![\p{Script=Latin}\p{N}])(?:${LATIN_GRADES.join('|')}))`;

const LATIN_FORMS = [
  String.raw`(?:(?:aqueous|aq\.?|stock|water)\s)?(?:solutions?|soln\.?|sol\.)`,
  String.raw`aq(?:ueous)?\.?`,
  'dispersions?',
  'suspensions?',
  'emulsions?',
  'slurry',
  'paste',
  'pre-?\\s?(?:mix|dispersed|dissolved|gel)',
  'dilut(?:ed|ion)',
  'self[- ]emulsifying',
  'lösung',
  'nano',
];
const FORM = String.raw`(?:${CHINESE_FORMS.join('|')}|(?<![\p{Script=Latin}\p{N}])(?:${LATIN_FORMS.join('|')})(?![\p{Script=Latin}\p{N}]))`;

const NUMBER = String.raw`\d{1,3}(?:[.,]\d{1,3})?`;
const PERCENT = String.raw`(?<![\p{N}.,])(?:[≥>]=?|${ABOUT}|ca\.?)?\s?(?:${NUMBER}\s?${RANGE_TO}\s?)?${NUMBER}\s?(?:wt\.?\s?)?%(?:\s?\(?(?:w\/w|w\/v|v\/v|vol\.?|active|${CHINESE_MEASURED.join('|')}))?\)?`;
/** The strength of a solution in moles. */
const MOLAR = String.raw`(?<![\p{L}\p{N}.,])\d{1,2}(?:[.,]\d{1,3})?\s?(?:[nm]|mol\/l)(?![\p{L}\p{N}])`;

/** Self-emulsifying. In capitals only, because `se` is a word of other languages. */
const SE = /(?<![\p{L}\p{N}])SE$/u;

const LATIN_DERIVATIVES = [
  'acetate',
  'palmitate',
  'phosphate',
  'stearate',
  'laurate',
  'sulfate',
  'chloride',
  'hcl',
  'hydroly[sz]ed',
  'hydrogenated',
  'encapsulated',
];
const DERIVATIVE = new RegExp(`^(?:${[...CHINESE_DERIVATIVES, ...LATIN_DERIVATIVES].join('|')})$`, 'iu');
const IS_FORM = new RegExp(FORM, 'iu');
const IS_MOLAR = new RegExp(MOLAR, 'iu');
const NUMBERS = new RegExp(String.raw`(${NUMBER})(?=\s?(?:${RANGE_TO}\s?${NUMBER}\s?)?(?:wt\.?\s?)?%)`, 'gu');

const BEHIND = new RegExp(String.raw`(?:${PERCENT}\s?${FORM}?|${GRADE}|${MOLAR}|${FORM})$`, 'iu');
const BEFORE = new RegExp(
  String.raw`^(?:(?:${PERCENT}|${MOLAR})(?=\s?\p{L})|非?纳米(?=\p{L})|(?:non-?)?nano[\s-](?=\p{L}))`,
  'iu',
);
/** Nothing but purities and grades, the only remarks after which a name means the same. */
const PURITIES = new RegExp(
  String.raw`^(?:(?:${GRADE}|${PERCENT}|min(?:imum)?\.?|pure|purity|assay|纯度|含量|至少)[\s,;:]*)+$`,
  'iu',
);
const BRACKET = /\(([^()]+)\)$/u;
const OPENING = /[\s([{【,;:-]+$/u;
const CLOSING = /[\s)\]}】,;]+$/u;

/** Splits `甘油(99%)` into `甘油` and the grade `99%`. Returns undefined for a name without a grade. */
export function withoutGrade(written: string): Ungraded | undefined {
  const given = visibleText(written).trim();
  const bracket = BRACKET.exec(given);
  if (bracket && (PURITIES.test(bracket[1]!.trim()) || isStrength(bracket[1]!)))
    return ungraded(given.slice(0, bracket.index), bracket[1]!);
  const bare = given.replace(CLOSING, '');
  const before = BEFORE.exec(bare)?.[0] ?? '';
  const rest = bare.slice(before.length);
  const [behind = ''] = BEHIND.exec(rest) ?? SE.exec(rest) ?? [];
  if (before === '' && behind === '') return undefined;
  return ungraded(rest.slice(0, rest.length - behind.length), `${before} ${behind}`);
}

function ungraded(written: string, grade: string): Ungraded | undefined {
  const name = written.replace(OPENING, '').trimStart();
  if (name === '') return undefined;
  return { name, grade: grade.trim(), isStrength: isStrength(grade) };
}

const isStrength = (grade: string): boolean =>
  IS_FORM.test(grade) ||
  SE.test(grade) ||
  DERIVATIVE.test(grade) ||
  IS_MOLAR.test(grade) ||
  [...grade.matchAll(NUMBERS)].some(([, percent]) => Number(percent!.replace(',', '.')) < PUREST);

/** Longest remark that is resolved with the name that it is about. */
const MAX_REMARK = 80;

/** Returns the first of the remarks about a raw material that says a strength or a form: `10 %`, `1%水溶液`. */
export const strengthIn = (remarks: string): string | undefined =>
  visibleText(remarks)
    .split(/[;；\n]/u)
    .map((remark) => remark.trim())
    .find((remark) => isStrength(remark))
    ?.slice(0, MAX_REMARK);
