import type { Cell, DocumentLanguage, LabDocument } from '../../documents/document';
import { type LabColor, swatchOf } from './swatch';
import type { SwatchMatch } from './swatches.service';
import { SWATCH_WORDS } from './swatches.words';

/** The colours nearest to one that is looked for, as swatches. */
export function swatchesDocument(
  wanted: LabColor,
  matches: readonly SwatchMatch[],
  language: DocumentLanguage,
): LabDocument {
  const words = SWATCH_WORDS[language];
  const { columns } = words;
  const shown = [wanted, ...matches.flatMap(({ target, measured }) => [target, measured ?? target])];
  return {
    title: words.title,
    fileName: words.title,
    facts: [[words.wanted, labText(wanted)]],
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
        rows: matches.map(({ name, target, measured, distance, deltaE }) => ({
          cells: [name, hexOf(target), labText(target), distance, hexOf(measured), labText(measured), deltaE],
        })),
      },
    ],
    notes: [words.exact, ...(shown.every((color) => swatchOf(color).isExact) ? [] : [words.outside])],
  };
}

const hexOf = (color: LabColor | null): Cell => color && swatchOf(color).hex;

const labText = (color: LabColor | null): string => {
  if (!color) return '';
  return `${color.L}, ${color.a}, ${color.b}${swatchOf(color).isExact ? '' : ' *'}`;
};
