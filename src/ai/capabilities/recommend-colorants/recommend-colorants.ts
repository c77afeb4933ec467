import { z } from 'zod';
import { ciede2000, type CieLab } from '../../../colors/difference';
import { type Capability, COMMON_RULES, dataBlock } from '../../pipeline/capability';

/** The target colour, and the nearest colours that the laboratory has made. */
export interface RecommendInput {
  /** CIELAB, D65. */
  readonly targetLab: CieLab;
  readonly neighbours: readonly {
    readonly name: string;
    readonly targetLab: CieLab;
    readonly actualLab?: CieLab | null;
    readonly colorantComposition?: unknown;
    /** Euclidean colour difference to the target. */
    readonly distance: number;
  }[];
}

const recommendationSchema = z.object({
  colorants: z
    .array(
      z.object({
        name: z.string().min(1).describe('INCI or CI name of the colorant'),
        ratio: z.number().min(0).describe('its share of the colorant blend; all shares add up to 1'),
      }),
    )
    .min(1),
  predictedDeltaE: z.number().min(0).describe('expected CIEDE2000 difference to the target'),
  confidence: z.number().min(0).max(1),
});

const recommendationsSchema = z.object({ recommendations: z.array(recommendationSchema).min(1) });

export type ColorantRecommendations = z.infer<typeof recommendationsSchema>;

const SYSTEM = `You are a colourist for decorative cosmetics. You propose colorant blends that reach a target colour.

The data holds "targetLab" (CIELAB, D65: L 0 black to 100 white, a green to red, b blue to yellow) and "neighbours":
up to 5 colours of the laboratory nearest to it, each with its target, its measured colour when there is one, its colorant composition
in the laboratory's own notation, and its distance to the target (Euclidean, CIE76).

Propose 1 to 3 blends, the best first:
- colorants: name by its CI number or INCI name ("CI 77891", "CI 77491", "CI 77492", "CI 77499", "CI 15850"), only colorants permitted
  in cosmetics. ratio is the share of the colorant blend, 0 to 1; the ratios of one blend add up to 1.
- predictedDeltaE: the CIEDE2000 difference you expect between the blend and the target, 0 or more.
- confidence: 0 to 1.
Start from the neighbours: when one is near (distance below 3), correct its composition for the remaining difference in L, a and b;
when none is near or compositions are missing, reason from the colorants' own hues, and lower confidence. When unsure, say so by a
higher predictedDeltaE and a lower confidence; never leave the stated ranges.

${COMMON_RULES}`;

/** Returns a blend of the usual pigments according to the coordinates: plausible, but not measured. */
function presetBlend({ L, a, b }: CieLab): { name: string; ratio: number }[] {
  const parts = [
    { name: 'CI 77891', amount: L },
    { name: 'CI 77499', amount: (100 - L) / 2 },
    { name: 'CI 77491', amount: Math.max(0, a) },
    { name: 'CI 77288', amount: Math.max(0, -a) },
    { name: 'CI 77492', amount: Math.max(0, b) },
    { name: 'CI 77007', amount: Math.max(0, -b) },
  ].filter((part) => part.amount > 0);
  const sum = parts.reduce((total, part) => total + part.amount, 0);
  let amount = 0;
  let shared = 0;
  // Rounds the running total instead of each share, so that the shares add up to 1.
  const shares = parts.map((part) => {
    amount += part.amount;
    const share = Math.round((amount / sum) * 1000) - shared;
    shared += share;
    return { name: part.name, ratio: share / 1000 };
  });
  return shares.filter(({ ratio }) => ratio > 0);
}

/** The colorants of the neighbour that differs least, with that difference; undefined if none has a list of them. */
function nearestBlend({ targetLab, neighbours }: RecommendInput) {
  const [nearest] = neighbours
    .flatMap(({ targetLab: target, actualLab, colorantComposition }) => {
      const parts = z.record(z.string(), z.number().positive()).safeParse(colorantComposition).data ?? {};
      const sum = Object.values(parts).reduce((total, amount) => total + amount, 0);
      const colorants = Object.entries(parts).map(([name, amount]) => ({ name, ratio: amount / sum }));
      // Amounts near the greatest number have no sum.
      const isBlend = colorants.length > 0 && colorants.every(({ ratio }) => ratio > 0);
      return isBlend ? [{ colorants, difference: ciede2000(targetLab, actualLab ?? target) }] : [];
    })
    .toSorted((one, other) => one.difference - other.difference);
  const predictedDeltaE = Math.round((nearest?.difference ?? 0) * 100) / 100;
  return nearest && { colorants: nearest.colorants, predictedDeltaE, confidence: 0.2 };
}

export const recommendColorants: Capability<RecommendInput, ColorantRecommendations> = {
  name: 'recommend-colorants',
  schema: recommendationsSchema,
  listKey: 'recommendations',
  whenFailed: 'preset',
  maxTokens: 4096,
  prompt: (input) => ({
    system: SYSTEM,
    user: dataBlock({ targetLab: input.targetLab, neighbours: input.neighbours }),
  }),
  preset: (input) => ({
    recommendations: [
      nearestBlend(input) ?? { colorants: presetBlend(input.targetLab), predictedDeltaE: 5, confidence: 0.2 },
    ],
  }),
};
