import type { Limit } from '../limit';
import { type Finding, SCREENING_RESULTS } from './screening-model';

const ROMAN_NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'];

/** Sorts rows in the order of the table: `III` before `IV`, and entry `99` before `100`. */
export const inTableOrder = (limits: readonly Limit[]): Limit[] => sortedBy(limits, placeOf);

/** Sorts findings by severity, the worst first, then in the order of the table. */
export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  sortedBy(findings, (finding) =>
    [
      SCREENING_RESULTS.indexOf(finding.result),
      finding.limits.length > 0 ? placeOf(finding.limits[0]!) : '\uffff',
      ...finding.substances.map(({ subject: { key, inciName, isNano } }) => `${key || inciName} ${isNano}`),
    ].join('\t'),
  );

const placeOf = ({ annex, entry, tier, id }: Limit): string => {
  const numeral = ROMAN_NUMERALS.indexOf(annex) + 1;
  return [numeral || annex, entry, tier, id].map((part) => padded(String(part ?? ''))).join('\t');
};

/** Pads numbers in a text, so that they are compared by value. */
const padded = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, '0'));

function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((one, other) => compareTexts(one.key, other.key));
  return keyed.map(({ item }) => item);
}

/** Compares by character codes, with the same result on every computer. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
