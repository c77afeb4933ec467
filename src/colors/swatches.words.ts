import type { DocumentLanguage } from '../documents/document';

interface SwatchWords {
  readonly title: string;
  readonly wanted: string;
  readonly table: string;
  readonly columns: Readonly<
    Record<'name' | 'target' | 'targetLab' | 'distance' | 'measured' | 'measuredLab' | 'deltaE', string>
  >;
  readonly exact: string;
  readonly outside: string;
}

export const SWATCH_WORDS: Readonly<Record<DocumentLanguage, SwatchWords>> = {
  zh: {
    title: '颜色匹配',
    wanted: '目标颜色',
    table: '最接近的颜色',
    columns: {
      name: '名称',
      target: '目标色样',
      targetLab: '目标 L, a, b',
      distance: '与所查颜色的 ΔE2000',
      measured: '实测色样',
      measuredLab: '实测 L, a, b',
      deltaE: '目标与实测的 ΔE',
    },
    exact: '按 CIEDE2000（kL = kC = kH = 1）由近到远排列；色样按 D65 换算为 sRGB，仅供屏幕参考。',
    outside: '带 * 的颜色超出 sRGB 色域，色样为最接近的可显示颜色。',
  },
  en: {
    title: 'Colour match',
    wanted: 'Colour looked for',
    table: 'Nearest colours',
    columns: {
      name: 'Name',
      target: 'Target',
      targetLab: 'Target L, a, b',
      distance: 'ΔE2000 to the colour looked for',
      measured: 'Measured',
      measuredLab: 'Measured L, a, b',
      deltaE: 'ΔE between target and measured',
    },
    exact:
      'Ordered by CIEDE2000 (kL = kC = kH = 1), the nearest first. Swatches are sRGB for D65, for orientation on a screen only.',
    outside: 'sRGB does not have the colours with *: their swatches are the nearest that a screen can show.',
  },
};
