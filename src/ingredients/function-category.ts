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

const CHINESE_NAMES = new Map<string, FunctionCategory>([
  ['乳化剂', 'emulsifier'],
  ['保湿剂', 'humectant'],
  ['增稠剂', 'thickener'],
  ['防腐剂', 'preservative'],
  ['抗氧化剂', 'antioxidant'],
  ['香精', 'fragrance'],
  ['香料', 'fragrance'],
  ['着色剂', 'colorant'],
  ['ph调节剂', 'ph_adjuster'],
  ['防晒剂', 'sunscreen'],
  ['表面活性剂', 'surfactant'],
  ['润肤剂', 'emollient'],
  ['其他', 'other'],
]);

/** The category that a text of a file names, in English or Chinese, whatever its case and spacing. */
export function readCategory(text: string): { value: FunctionCategory } | { fault: string } {
  const plain = text.toLowerCase().replace(/[\s-]+/g, '_');
  const value = FUNCTION_CATEGORIES.find((name) => name === plain) ?? CHINESE_NAMES.get(text.toLowerCase());
  return value
    ? { value }
    : { fault: `"${text}" is no category; the categories are ${FUNCTION_CATEGORIES.join(', ')}` };
}
