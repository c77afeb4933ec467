import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import { requestLanguage } from '../../../documents/language-field';
import type { RawLine } from '../../../formula-text/complete-percentages';
import type { ReadFormula } from '../../../formula-text/read-formula-text';
import { LINE_BREAK } from '../../../formula-text/text-lines';
import { formulaImportText } from '../../../formulas/files/formula-import.texts';
import { weighed } from '../../../formulas/files/percentages';
import { renderMessage } from '../../../platform/texts/define-texts';
import { type ExtractInput, readAhead, readingOf } from './extract-formula';

const NO_DENSITY = formulaImportText('formula-import.no-density');

/** A volume that no other number belongs to: `500 mL`, `2 L`. */
const VOLUME =
  /(?<!\d[\d.,\s/]?)(?<!\d\s?[-–—~至到]\s?)(\d{1,9}(?:\.\d{1,9}|,\d{1,2})?)\s?(ml|l|毫升|公?升)(?![\p{L}\d/]| ?(?:per|pro|par|por|each|je)(?!\p{L})| ?每)/giu;

/**
 * The text with grams instead of volumes where a line is unread only because of them, and the density of its
 * ingredient is known: `Glycerin 500 mL` is `Glycerin 630 g`.
 * @param densitiesOf of lines that were read with grams: undefined where the ingredient is not certain
 * @returns also how volumes became masses, or that their density is missing
 */
export async function weighedText(
  written: string,
  densitiesOf: (lines: readonly RawLine[], text: string) => Promise<(number | null | undefined)[]>,
) {
  const rows = written.split(LINE_BREAK);
  const asGrams = rows.map((row) => row.replace(VOLUME, '$1 g')).join('\n');
  if (asGrams === rows.join('\n')) return { text: written, volumes: [] };
  const { unread } = await read({ text: written });
  const inGrams = await read({ text: asGrams });
  const found = rows.flatMap((row, at) => {
    const own = linesOf(inGrams, at);
    const volumes = [...row.matchAll(VOLUME)].map(([, number, unit]) => ({
      amount: new Big(number!.replace(',', '.')),
      milliliters: /^[m毫]/i.test(unit!) ? 1 : 1000,
    }));
    // Not the total in `to 500 mL`, a volume beside a percentage, or `1.250 mL` in a text where that is 1250 mL.
    const isAmount = ({ amount, unit, balance }: RawLine, index: number) =>
      unit === 'g' && !balance && amount === volumes[index]?.amount.toNumber();
    if (!unread.includes(at + 1) || own.length !== volumes.length || !own.every(isAmount)) return [];
    return volumes.map(({ amount, milliliters }, index) => ({
      ...{ line: at + 1, name: own[index]!, milliliters: amount.times(milliliters) },
    }));
  });
  const names = found.map(({ name }) => name);
  const densities = await densitiesOf(names, asGrams);
  const masses = found.map(({ milliliters }, at) =>
    densities[at] ? weighed(milliliters, densities[at]) : undefined,
  );
  const massesOf = (at: number) => masses.filter((_, index) => found[index]!.line === at + 1);
  const isWeighed = rows.map((_, at) => massesOf(at).length > 0 && !massesOf(at).includes(undefined));
  const text = rows
    .map((row, at) => {
      const own = massesOf(at);
      return isWeighed[at] ? row.replace(VOLUME, () => massText(own.shift()!)) : row;
    })
    .join('\n');
  // The masses must be read as they are, and must not change how other lines are read.
  const after = await read({ text });
  const isRead = rows.every((row, at) => {
    const expected = linesOf(inGrams, at).map((line, index) => {
      const grams = isWeighed[at] ? massesOf(at)[index]!.grams : undefined;
      return grams ? { ...line, amount: Number(grams.toFixed(grams.lt(1) ? 9 : 6)) } : line;
    });
    const isLeft = !isWeighed[at] && row.search(VOLUME) >= 0;
    return isLeft || isDeepStrictEqual(linesOf(after, at), expected);
  });
  if (!isRead) return { text: written, volumes: [] };
  const language = requestLanguage();
  const volumes = found.flatMap(({ line }, at) => {
    const note = masses[at]?.note ?? (densities[at] === null && NO_DENSITY);
    return note ? [{ line, text: renderMessage(note, language) }] : [];
  });
  return { text, volumes };
}

async function read(input: ExtractInput) {
  await readAhead(input);
  return readingOf(input);
}

/** With so many decimals, and no 0 before them, a mass says nothing of the decimal marks of other numbers. */
const massText = ({ grams }: { readonly grams: Big }): string =>
  grams.lt(1) ? `${grams.times(1000).toFixed(6)} mg` : `${grams.toFixed(6)} g`;

const linesOf = ({ lines, textLines }: ReadFormula, at: number): RawLine[] =>
  lines.filter((_, index) => textLines[index] === at + 1);
