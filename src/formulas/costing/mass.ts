import Big, { type BigSource } from 'big.js';

/** In grams. Each is a power of ten of the others, so that a number keeps its digits from one to another. */
const GRAMS = { kg: '1e3', g: '1', mg: '1e-3', t: '1e6' } as const;

export type MassUnit = keyof typeof GRAMS;

export const MASS_UNITS = Object.keys(GRAMS) as MassUnit[];

/** A mass in another unit. */
export const converted = (mass: BigSource, from: MassUnit, to: MassUnit): Big =>
  new Big(mass).times(GRAMS[from]).div(GRAMS[to]);
