import {
  type Cell,
  type DocumentLanguage,
  type FilledColumn,
  type LabDocument,
  tableOf,
} from '../documents/document';
import type { RankedColor } from './color-formulas.repository';
import { type CieLab, ciede2000 } from './difference';
import { displayable, formatHex, type Lab65, toGamut } from 'culori';
import { defineTexts } from '../platform/texts/define-texts';

const swatchTexts = defineTexts({
  'swatches.title': ['颜色匹配', 'Colour match'],
  'swatches.wanted': ['目标颜色', 'Colour looked for'],
  'swatches.table': ['最接近的颜色', 'Nearest colours'],
  'swatches.name': ['名称', 'Name'],
  'swatches.target': ['目标色样', 'Target'],
  'swatches.target-lab': ['目标 L, a, b', 'Target L, a, b'],
  'swatches.distance': ['与所查颜色的 ΔE2000', 'ΔE2000 to the colour looked for'],
  'swatches.measured': ['实测色样', 'Measured'],
  'swatches.measured-lab': ['实测 L, a, b', 'Measured L, a, b'],
  'swatches.delta-e': ['目标与实测的 ΔE2000', 'ΔE2000 between target and measured'],
  'swatches.exact': [
    '按 CIEDE2000（kL = kC = kH = 1）由近到远排列；色样按 D65 换算为 sRGB，仅供屏幕参考。',
    'Ordered by CIEDE2000 (kL = kC = kH = 1), the nearest first. Swatches are sRGB for D65, for orientation on a screen only.',
  ],
  'swatches.outside': [
    '带 * 的颜色超出 sRGB 色域，色样为最接近的可显示颜色。',
    'sRGB does not have the colours with *: their swatches are the nearest that a screen can show.',
  ],
});

/** The colours nearest to one that is looked for, as swatches. */
export function swatchesDocument(
  wanted: CieLab,
  matches: readonly RankedColor[],
  language: DocumentLanguage,
): LabDocument {
  const t = swatchTexts.in(language);
  const shown = [
    wanted,
    ...matches.flatMap(({ targetLab, actualLab }) => [targetLab, actualLab ?? targetLab]),
  ];
  const columns: FilledColumn<RankedColor>[] = [
    { title: t('swatches.name'), cell: ({ name }) => name },
    { title: t('swatches.target'), isSwatch: true, cell: ({ targetLab }) => hexOf(targetLab) },
    { title: t('swatches.target-lab'), cell: ({ targetLab }) => coordinatesText(targetLab) },
    { title: t('swatches.distance'), isNumeric: true, decimals: 2, cell: ({ distance }) => distance },
    { title: t('swatches.measured'), isSwatch: true, cell: ({ actualLab }) => hexOf(actualLab) },
    { title: t('swatches.measured-lab'), cell: ({ actualLab }) => coordinatesText(actualLab) },
    {
      ...{ title: t('swatches.delta-e'), isNumeric: true, decimals: 2 },
      cell: ({ targetLab, actualLab }) => actualLab && ciede2000(targetLab, actualLab),
    },
  ];
  return {
    title: t('swatches.title'),
    fileName: t('swatches.title'),
    facts: [[t('swatches.wanted'), coordinatesText(wanted)]],
    swatches: [{ label: t('swatches.wanted'), hex: swatchOf(wanted).hex }],
    tables: [tableOf(t('swatches.table'), columns, matches)],
    notes: [
      t('swatches.exact'),
      ...(shown.every((color) => swatchOf(color).isExact) ? [] : [t('swatches.outside')]),
    ],
  };
}

const hexOf = (color: CieLab | null): Cell => color && swatchOf(color).hex;

const coordinatesText = (color: CieLab | null): string => {
  if (!color) return '';
  return `${color.L}, ${color.a}, ${color.b}${swatchOf(color).isExact ? '' : ' *'}`;
};

/** A colour as a screen shows it. */
export interface Swatch {
  /** sRGB, `#rrggbb`. */
  readonly hex: string;
  /** False where sRGB does not have the colour; `hex` is then the nearest by chroma (CSS Color 4 gamut mapping). */
  readonly isExact: boolean;
}

const intoScreen = toGamut('rgb', 'oklch');

export function swatchOf({ L, a, b }: CieLab): Swatch {
  const color: Lab65 = { mode: 'lab65', l: L, a, b };
  return { hex: formatHex(intoScreen(color)), isExact: displayable(color) };
}
