import type { Meanings } from './everyday-names';

const MACROGOL = /^(?:peg|macrogol|polyethyleneglycol|聚乙二醇)(\d{3,5})$/u;

/** Least number that may be a mass. */
const LEAST_MASS = 200;

/** The number of the INCI name by the mean molar mass, where it is not the number of units of that mass. */
const UNITS_BY_MASS: Readonly<Record<string, number>> = {
  400: 8,
  600: 12,
  1000: 20,
  1450: 32,
  1500: 32,
  1540: 32,
  2000: 40,
  3350: 75,
  4000: 75,
  6000: 150,
  8000: 150,
};

/** Mass of a unit of ethylene oxide, and of the water at its ends, in g/mol. */
const UNIT = 44.05;
const ENDS = 18.02;

/**
 * Suppliers number macrogols by mass, INCI names by units: `PEG-400` is INCI PEG-8 or INCI PEG-400. Returns both, the
 * likelier first, or undefined for the key of any other name.
 */
export function macrogolsOf(key: string): Meanings | undefined {
  const [, number] = MACROGOL.exec(key) ?? [];
  if (number === undefined || Number(number) < LEAST_MASS) return undefined;
  const units = UNITS_BY_MASS[number] ?? Math.round((Number(number) - ENDS) / UNIT);
  return [[`PEG-${units}`], [`PEG-${number}`]];
}
