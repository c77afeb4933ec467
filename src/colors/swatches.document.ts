import type { Cell, DocumentLanguage, LabDocument } from '../documents/document';
import type { RankedColor } from './color-formulas.repository';
import type { CieLab } from './difference';
import { SWATCH_WORDS } from './swatches.words';
import { displayable, formatHex, type Lab65, toGamut } from 'culori';

/** The colours nearest to one that is looked for, as swatches. */
export function swatchesDocument(
  wanted: CieLab,
  matches: readonly RankedColor[],
  language: DocumentLanguage,
): LabDocument {
  const words = SWATCH_WORDS[language];
  const { columns } = words;
  const shown = [
    wanted,
    ...matches.flatMap(({ targetLab, actualLab }) => [targetLab, actualLab ?? targetLab]),
  ];
  return {
    title: words.title,
    fileName: words.title,
    facts: [[words.wanted, textOf(wanted)]],
    swatches: [{ label: words.wanted, hex: swatchOf(wanted).hex }],
    tables: [
      {
        title: words.table,
        columns: [
          { title: columns.name },
          { title: columns.target, isSwatch: true },
          { title: columns.targetLab },
          { title: columns.distance, isNumeric: true, decimals: 2 },
          { title: columns.measured, isSwatch: true },
          { title: columns.measuredLab },
          { title: columns.deltaE, isNumeric: true, decimals: 2 },
        ],
        rows: matches.map(({ name, targetLab, actualLab, distance, deltaE }) => ({
          cells: [
            name,
            ...[hexOf(targetLab), textOf(targetLab)],
            distance,
            ...[hexOf(actualLab), textOf(actualLab)],
            deltaE,
          ],
        })),
      },
    ],
    notes: [words.exact, ...(shown.every((color) => swatchOf(color).isExact) ? [] : [words.outside])],
  };
}

const hexOf = (color: CieLab | null): Cell => color && swatchOf(color).hex;

const textOf = (color: CieLab | null): string => {
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
