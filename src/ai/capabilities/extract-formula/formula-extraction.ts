import { Injectable, Logger } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../platform/access/row-filter';
import { isSameName } from './close-name';
import {
  areCalculated,
  completePercentages,
  type ExtractedLine,
  isRange,
  type RawLine,
} from '../../../formula-text/complete-percentages';
import type { WrongTotal } from '../../../formula-text/totals';
import { EXAMPLE_NOTE, type ExtractInput, type Extraction, readingOf } from './extract-formula';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import type { Resolution } from '../../../ingredients/names/resolution';
import { sumOf } from '../../../platform/common/collections';
import { plainText } from '../../../platform/common/name-forms';

/** Maximum number of lines in the response. Formulas have fewer. */
const MOST_LINES = 200;
/** The parts of a text that are not in the response. */
export interface UnreadLines {
  /** Number of ingredients beyond the maximum, and of lines that may name an ingredient but could not be read. */
  readonly count: number;
  /** Numbers of their lines in the text, from 1. Empty if a model's answer differs from the plain reading. */
  readonly textLines: readonly number[];
  /** The first line of the text, if it was taken for the title. Absent as the line numbers are. */
  readonly title?: string;
  /** Numbers of lines that name no ingredient, and wrong totals. Empty as the line numbers are. */
  readonly others: readonly number[];
  readonly wrongTotals: readonly WrongTotal[];
}

/** The text's statement from which the percentage of a line was taken. */
export interface StatedAmount {
  /** As written, with its unit: `80 g`, `5-10 %`. Null if the text gives no number. */
  readonly written: string | null;
  /** The percentage is the middle of a range, or a bound. */
  readonly isRange: boolean;
  /** The percentage depends on other lines: a mass without a stated total, or the remainder. */
  readonly isCalculated: boolean;
  /** The remarks of the line, without those about its amount. */
  readonly notes: string;
}

/** The lines of a formula, and the lines that were not read. */
export interface ExtractedFormula {
  readonly lines: ExtractedLine[];
  /** For each of `lines`, its amount. */
  readonly amounts: readonly StatedAmount[];
  readonly unread: UnreadLines;
  /** Sum of the percentages, as a decimal. Absent for the preset example. */
  readonly percentTotal?: string;
}

/** Converts a model's answer into the API's response: calculates percentages and adds names from the catalogue. */
@Injectable()
export class FormulaExtraction {
  private readonly logger = new Logger(FormulaExtraction.name);

  constructor(
    private readonly resolver: IngredientResolver,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @param input the input of the extraction */
  async complete(
    reader: Reader,
    { ingredients }: Extraction,
    input: ExtractInput,
  ): Promise<ExtractedFormula> {
    const filter = await this.rowFilters.of(reader);
    const amounts = statedAmounts(ingredients);
    const named = completePercentages(ingredients)
      .map((line, at) => ({ line, amount: amounts[at]! }))
      .filter(({ line }) => line.inciName !== '' || line.chineseName !== '');
    const shown = named.slice(0, MOST_LINES);
    const lines = shown.map(({ line }) => line);
    await this.fillNames(filter, lines);
    const unread = unreadLines(ingredients, input, named.length - lines.length);
    // Only the count is logged: a customer's formula must not appear in the logs.
    if (unread.count > 0)
      this.logger.log({ unreadLines: unread.count }, 'Lines of a formula text were not read');
    return {
      lines,
      amounts: shown.map(({ amount }) => amount),
      unread,
      ...(!isExample(ingredients) && {
        percentTotal: sumOf(lines.map(({ percentage }) => percentage)).toFixed(),
      }),
    };
  }

  /** Adds a missing name from the ingredient that the known name means, or whose name differs only in spelling. */
  private async fillNames(filter: RowFilter, all: readonly ExtractedLine[]): Promise<void> {
    const lines = all.filter(({ inciName, chineseName }) => inciName === '' || chineseName === '');
    const nameOf = ({ inciName, chineseName }: ExtractedLine) => inciName || chineseName;
    // A longer text is no name.
    const names = [...new Set(lines.map(nameOf))].filter(({ length }) => length <= 200);
    const resolutions = await this.resolver.resolve(filter, names);
    const byName = new Map(resolutions.map((resolution) => [resolution.name, resolution]));
    for (const line of lines) {
      const resolution = byName.get(nameOf(line));
      const ingredient = resolution && ingredientOf(resolution, line.inciName ? 'inciName' : 'chineseName');
      line.inciName ||= ingredient?.inciName ?? '';
      line.chineseName ||= ingredient?.chineseName ?? '';
    }
  }
}

/** Returns the ingredient whose name in this language is the very name, the one that it means, or one spelt like it. */
function ingredientOf({ name, certain, candidates }: Resolution, known: 'inciName' | 'chineseName') {
  const ingredients = candidates.map(({ ingredient }) => ingredient);
  return (
    ingredients.find((one) => plainText(one[known]) === plainText(name)) ??
    (certain ? ingredients[0] : ingredients.find((one) => isSameName(name, one[known])))
  );
}

/**
 * Returns the unread lines. Their line numbers are known only if the plain reader read the text, or
 * found the same names as the model.
 * @param left number of lines beyond the maximum
 */
function unreadLines(ingredients: readonly RawLine[], input: ExtractInput, left: number): UnreadLines {
  const reading = readingOf(input);
  const isPlainReading =
    reading.lines.length === ingredients.length &&
    reading.lines.every(({ inciName, chineseName }, at) => {
      const line = ingredients[at]!;
      return line.inciName === inciName && line.chineseName === chineseName;
    });
  if (!isPlainReading) return { count: left, textLines: [], others: [], wrongTotals: [] };
  const textLines = new Set([...reading.textLines.slice(MOST_LINES), ...reading.unread]);
  const { title, unreadCount, others, wrongTotals } = reading;
  return {
    count: left + unreadCount,
    textLines: [...textLines].sort((a, b) => a - b),
    title,
    others,
    wrongTotals,
  };
}

function statedAmounts(ingredients: readonly RawLine[]): StatedAmount[] {
  const calculated = areCalculated(ingredients);
  return ingredients.map((line, at) => ({
    written: writtenAmount(line),
    isRange: isRange(line),
    isCalculated: calculated[at]!,
    notes: line.processNotes.trim(),
  }));
}

function writtenAmount({ amount, unit, percentage }: RawLine): string | null {
  if (amount === null || amount === undefined || amount === '')
    return percentage === null ? null : `${percentage} %`;
  const isWithoutUnit = typeof amount === 'number' || /\d\s*$/u.test(amount);
  return isWithoutUnit && unit ? `${amount} ${unit}` : String(amount);
}

const isExample = ([first]: readonly RawLine[]): boolean => first?.processNotes === EXAMPLE_NOTE;
