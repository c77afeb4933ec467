import type { Limit } from '../limit';
import { type Finding, SCREENING_RESULTS } from './screening-model';

const ROMAN_NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'];
const natural = new Intl.Collator('en', { numeric: true });

/** `III` before `IV`, and `99` before `100`. */
export function byEntry(one: Limit, other: Limit): number {
  return (
    natural.compare(annexKey(one), annexKey(other)) ||
    natural.compare(one.entry, other.entry) ||
    natural.compare(one.tier ?? '', other.tier ?? '') ||
    natural.compare(one.id, other.id)
  );
}

function annexKey({ annex }: Limit): string {
  const numeral = ROMAN_NUMERALS.indexOf(annex);
  return numeral < 0 ? annex : String(numeral + 1);
}

/** The worst first, then in the order of the table. */
export function byRankAndEntry(one: Finding, other: Finding): number {
  const [row, otherRow] = [one.limits[0], other.limits[0]];
  return (
    SCREENING_RESULTS.indexOf(one.result) - SCREENING_RESULTS.indexOf(other.result) ||
    (row && otherRow ? byEntry(row, otherRow) : Number(otherRow !== undefined) - Number(row !== undefined)) ||
    natural.compare(namesOf(one), namesOf(other))
  );
}

const namesOf = ({ substances }: Finding): string =>
  substances
    .map(({ subject: { key, inciName, isNano } }) => `${key || inciName}${isNano ? ' (nano)' : ''}`)
    .join('; ');
