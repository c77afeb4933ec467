import type { DocumentLanguage } from '../documents/document';

interface MatchWords {
  readonly none: string;
  nothingNear(distance: string, threshold: number): string;
  moreDuplicates(compared: number): string;
}

export const MATCH_WORDS: Readonly<Record<DocumentLanguage, MatchWords>> = {
  zh: {
    none: '没有可供匹配的颜色。',
    nothingNear: (distance, threshold) =>
      `没有接近的颜色：最近的颜色与所查颜色的 ΔE2000 为 ${distance}，超过 ${threshold}。`,
    moreDuplicates: (compared) =>
      `仅合并了最近的 ${compared} 个颜色中的重复项，可能还有更多重复或其他接近的颜色。`,
  },
  en: {
    none: 'There is no colour to match.',
    nothingNear: (distance, threshold) =>
      `Nothing is near: the nearest colour differs by ΔE2000 ${distance}, which is more than ${threshold}.`,
    moreDuplicates: (compared) =>
      `Only the nearest ${compared} colours were compared: there may be more duplicates, and other colours that are near.`,
  },
};
