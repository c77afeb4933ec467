import { type Lab } from './difference/lab';

/** A stored colour near the target, as a basis for a recommendation. */
export interface ColorantNeighbour {
  name: string;
  targetLab: Lab;
  actualLab: Lab | null;
  colorantComposition: unknown;
  /** Euclidean difference to the target. */
  distance: number;
}

export interface ColorantRecommendation {
  /** Shares of the colorant blend, adding up to 1. */
  colorants: { name: string; ratio: number }[];
  /** Expected CIEDE2000 difference to the target, ≥ 0. */
  predictedDeltaE: number;
  /** 0 to 1. */
  confidence: number;
}

/** Where recommended colorants come from. */
export abstract class ColorantRecommender {
  abstract recommend(
    target: Lab,
    neighbours: readonly ColorantNeighbour[],
  ): Promise<ColorantRecommendation[]>;
}

/** Iron oxides, white and ultramarine by the sign and size of the coordinates: plausible, not measured, and told so by its confidence. */
export class PresetColorantRecommender extends ColorantRecommender {
  recommend({ L, a, b }: Lab): Promise<ColorantRecommendation[]> {
    const parts = [
      { name: 'CI 77891', amount: L },
      { name: 'CI 77499', amount: (100 - L) / 2 },
      { name: 'CI 77491', amount: Math.max(0, a) },
      { name: 'CI 77288', amount: Math.max(0, -a) },
      { name: 'CI 77492', amount: Math.max(0, b) },
      { name: 'CI 77007', amount: Math.max(0, -b) },
    ].filter(({ amount }) => amount > 0);
    const sum = parts.reduce((total, { amount }) => total + amount, 0);
    const colorants = parts.map(({ name, amount }) => ({
      name,
      ratio: Math.round((amount / sum) * 1000) / 1000,
    }));
    return Promise.resolve([{ colorants, predictedDeltaE: 5, confidence: 0.2 }]);
  }
}
