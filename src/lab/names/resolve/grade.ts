import { CHINESE_GRADES } from './grade.words';

/** From this share on a percentage says how pure a raw material is; below it, how strong a solution. */
const PUREST = 98;

/** A name without what stands behind it and says how pure or strong the raw material is. */
export interface Ungraded {
  readonly name: string;
  /** What was left out, as it is written. */
  readonly grade: string;
  /** Whether the grade may make it another material: a solution of 10 % is not the substance. */
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

/** `甘油(99%)` is `甘油` with the grade `99%`; undefined for a name without a grade. */
export function withoutGrade(written: string): Ungraded | undefined {
  const given = written.normalize('NFKC').trim().replace(CLOSING, '');
  const [found, percent] = PERCENTAGE.exec(given) ?? GRADE_WORD.exec(given) ?? [];
  if (found === undefined) return undefined;
  const name = given.slice(0, -found.length).replace(OPENING, '');
  if (name === '') return undefined;
  return { name, grade: found.trim(), isStrength: percent !== undefined && Number(percent) < PUREST };
}
