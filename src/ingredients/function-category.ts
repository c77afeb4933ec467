/** What an ingredient is for, in the contract's order. */
export const FUNCTION_CATEGORIES = [
  'emulsifier',
  'humectant',
  'thickener',
  'preservative',
  'antioxidant',
  'fragrance',
  'colorant',
  'ph_adjuster',
  'sunscreen',
  'surfactant',
  'emollient',
  'other',
] as const;

export type FunctionCategory = (typeof FUNCTION_CATEGORIES)[number];
