import type { Message } from '../platform/texts/define-texts';
import { ingredientImportText } from './ingredient-import.texts';
import { plainText } from '../platform/common/name-forms';

/** The functions of ingredients, in the contract's order. */
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

/** Names of the categories in Chinese files, without the `剂` at the end. */
const CHINESE_NAMES: Record<FunctionCategory, readonly string[]> = {
  emulsifier: ['乳化'],
  humectant: ['保湿', '保濕'],
  thickener: ['增稠', '增粘', '稠化'],
  preservative: ['防腐', '防腐杀菌'],
  antioxidant: ['抗氧化', '抗氧'],
  fragrance: ['香精', '香料', '芳香', '赋香'],
  colorant: ['着色', '著色', '色素', '色粉', '颜料', '染料', '着色料'],
  ph_adjuster: ['ph调节', 'ph值调节', 'ph调整', 'ph調節', 'ph值調節', '酸碱调节', '酸碱度调节'],
  sunscreen: ['防晒', '防曬', '紫外线吸收', '紫外吸收', '防晒原料'],
  surfactant: ['表面活性', '界面活性', '表活'],
  emollient: ['润肤', '潤膚', '柔润', '润肤油脂'],
  other: ['其他', '其它'],
};

const BY_CHINESE_NAME = new Map(
  FUNCTION_CATEGORIES.flatMap((category) => CHINESE_NAMES[category].map((name) => [name, category] as const)),
);

/** Returns the category that a text of a file names, in English or Chinese, regardless of case and spacing. */
export function readCategory(text: string): { value: FunctionCategory } | { fault: Message } {
  const name = plainText(text);
  const value =
    FUNCTION_CATEGORIES.find((category) => category === name.replace(/[\s-]+/g, '_')) ??
    BY_CHINESE_NAME.get(name.replace(/[\s\-_]+/g, '').replace(/[剂劑]$/, ''));
  return value
    ? { value }
    : {
        fault: ingredientImportText('ingredient-import.no-category', {
          value: text,
          categories: FUNCTION_CATEGORIES,
        }),
      };
}
