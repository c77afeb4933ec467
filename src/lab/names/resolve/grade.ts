import { CHINESE_GRADES } from './grade.words';

/** A percentage from this value on is the purity of a raw material; below it, the strength of a solution. */
const PUREST = 98;

/** A name without its grade, that is, the purity or strength of the raw material at its end. */
export interface Ungraded {
  readonly name: string;
  /** The grade, as written. */
  readonly grade: string;
  /** True if the grade may mean another material: a solution of 10 % is not the substance. */
  readonly isStrength: boolean;
}

const LATIN_GRADES = ['cosmetic grade', 'food grade', 'pharma grade', 'USP', 'BP', 'EP'];
const GRADE_WORD = new RegExp(
  String.raw`(?:${CHINESE_GRADES.join('|')}|(?<![\p{Script=Latin}\p{N}])(?:${LATIN_GRADES.join('|')}))$`,
  'iu',
);
const PERCENTAGE = /(?<![\p{N}.,])[≥>]?\s?(\d{1,3}(?:\.\d{1,3})?)\s?%$/u;
const OPENING = /[\s([{【,;:-]+$/u;
const CLOSING = /[\s)\]}】,;]+$/u;

/** Splits `甘油(99%)` into `甘油` and the grade `99%`. Returns undefined for a name without a grade. */
export function withoutGrade(written: string): Ungraded | undefined {
  const given = written.normalize('NFKC').trim().replace(CLOSING, '');
  const [found, percent] = PERCENTAGE.exec(given) ?? GRADE_WORD.exec(given) ?? [];
  if (found === undefined) return undefined;
  const name = given.slice(0, -found.length).replace(OPENING, '');
  if (name === '') return undefined;
  return { name, grade: found.trim(), isStrength: percent !== undefined && Number(percent) < PUREST };
}
