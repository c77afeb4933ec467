import { z } from 'zod';
import { type Capability } from '../../pipeline/capability';
import { COMMON_RULES, dataBlock } from '../prompt-data';
import { type PredictInput } from './predict-input';
import { presetPrediction } from './prediction-preset';

export type { PredictInput };

const score = z.number().min(0).max(100);

const predictionSchema = z.object({
  sensoryIndex: z.object({
    spreadability: score.describe('0 drags on the skin, 100 glides without effort'),
    absorption: score.describe('0 stays on the surface, 100 is gone within seconds'),
    stickiness: score.describe('0 not tacky at all, 100 very tacky'),
    overall: score.describe('overall pleasantness on the skin, 0 to 100'),
  }),
  stabilityScore: score.describe(
    '0 separates at once, 100 passes three months at 45 °C and five freeze-thaw cycles',
  ),
  costEstimate: z.number().min(0).describe('raw-material cost of 1 kg of the finished product, in CNY'),
  confidence: z.number().min(0).max(1).describe('0 guess, 1 certain'),
  reasoning: z.string(),
});

export type Prediction = z.infer<typeof predictionSchema>;

const SYSTEM = `You are a senior cosmetic formulator with twenty years at the bench: emulsions, surfactant systems, gels, colour cosmetics
and sun care. You estimate how a formula will feel, how stable it will be and what its raw materials cost.

The data holds "ingredients": name (INCI, Chinese or trade name), percentage (% w/w) and category (function, for example emulsifier,
humectant, thickener, preservative, antioxidant, fragrance, colorant, ph_adjuster, sunscreen, surfactant, emollient, other).

Estimate:
- sensoryIndex.spreadability, .absorption, .stickiness, .overall: each 0 to 100. A HIGH stickiness is a BAD feel. Humectants above
  5 % and film formers raise stickiness; light esters and volatile silicones raise spreadability and absorption; heavy oils, waxes
  and butters lower absorption.
- stabilityScore: 0 to 100. Look at the emulsifier system and its amount against the oil phase, HLB, the thickener and its tolerance
  of electrolytes and pH, the preservative's suitability, oxidation-prone oils, and incompatibilities (cationic with anionic,
  carbomer with salts, ascorbic acid in water, retinol without antioxidant). No preservative in a water-based formula costs points.
- costEstimate: raw-material cost of ONE KILOGRAM of finished product in CNY, industrial quantities, without packaging and labour:
  the sum of percentage / 100 × price per kg.
- confidence: 0 to 1. Lower it when names are ambiguous or trade names hide their composition, when the total is far from 100, or
  when decisive data (pH, process) is missing. When unsure, give your best estimate, say what is missing, and lower confidence;
  never leave the stated ranges.
- reasoning: 2 to 5 sentences: which ingredients decide the result, the main risk, and what you assumed.

${COMMON_RULES}`;

/** Estimates feel, stability and raw-material cost of a formula. */
export const predictFormula: Capability<PredictInput, Prediction> = {
  name: 'predict-formula',
  schema: predictionSchema,
  whenFailed: 'preset',
  maxTokens: 4096,
  prompt: (input) => ({ system: SYSTEM, user: dataBlock({ ingredients: input.ingredients }) }),
  preset: presetPrediction,
  alsoDependsOn: ({ catalogue }) => catalogue?.digest() ?? '',
};
