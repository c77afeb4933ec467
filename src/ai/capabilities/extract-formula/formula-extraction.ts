import { Injectable, Logger } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../access/row-filter';
import { isSameName } from './close-name';
import { completePercentages, type ExtractedLine, type RawLine } from './complete-percentages';
import { EXAMPLE_NOTE, type ExtractInput, type Extraction, readingOf } from './extract-formula';
import { IngredientNamesRepository } from './ingredient-names.repository';

/** So many lines are answered: more than any formula in a text has. */
const MOST_LINES = 200;
/** No ingredient has a longer name. */
const LONGEST_NAME = 200;

/** What of a text is not among the lines of its formula. */
export interface UnreadLines {
  /** Ingredients beyond the most that are answered, and lines that may name one and could not be read. */
  readonly count: number;
  /** Numbers, from 1, of the text's lines that hold them; empty where a model has read the text. */
  readonly textLines: readonly number[];
}

/** The lines of a formula, and what is not among them. */
export interface ExtractedFormula {
  readonly lines: ExtractedLine[];
  readonly unread: UnreadLines;
  /** The sum of the lines, as a decimal; none where they are the announced example. */
  readonly percentTotal?: string;
}

/** Turns what a model extracted into what the interface answers: numbers for amounts, names from the catalogue. */
@Injectable()
export class FormulaExtraction {
  private readonly logger = new Logger(FormulaExtraction.name);

  constructor(
    private readonly names: IngredientNamesRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @param input what the extraction is of */
  async complete(
    reader: Reader,
    { ingredients }: Extraction,
    input: ExtractInput,
  ): Promise<ExtractedFormula> {
    const filter = await this.rowFilters.of(reader);
    const named = completePercentages(ingredients).filter(
      (line) => line.inciName !== '' || line.chineseName !== '',
    );
    const lines = named.slice(0, MOST_LINES);
    await this.fillNames(filter, lines, 'inciName', 'chineseName');
    await this.fillNames(filter, lines, 'chineseName', 'inciName');
    const unread = unreadLines(ingredients, input, named.length - lines.length);
    // The count alone: a customer's formula is not for logs.
    if (unread.count > 0)
      this.logger.log({ unreadLines: unread.count }, 'Lines of a formula text were not read');
    return { lines, unread, ...(!isExample(ingredients) && { percentTotal: percentTotal(lines) }) };
  }

  /**
   * Fills a name that is missing from the catalogue's entry of the other name, or of one that is the same but for
   * spelling.
   */
  private async fillNames(
    filter: RowFilter,
    all: readonly ExtractedLine[],
    known: 'inciName' | 'chineseName',
    missing: 'inciName' | 'chineseName',
  ): Promise<void> {
    const lines = all.filter((line) => line[missing] === '');
    const names = [...new Set(lines.map((line) => line[known]))].filter(
      ({ length }) => length <= LONGEST_NAME,
    );
    if (names.length === 0) return;
    const column = known === 'inciName' ? 'inci_name' : 'chinese_name';
    const found = await this.names.near(filter, column, names);
    for (const line of lines) {
      const entry = found.find(
        ({ requested, ...entry }) => requested === line[known] && isEntryOf(requested, entry[known]),
      );
      line[missing] = entry?.[missing] ?? '';
    }
  }
}

/**
 * What is not among the lines. Where in the text it stands is known where the plain reader has read it, or
 * has found the same lines.
 * @param left lines beyond the most that are read
 */
function unreadLines(ingredients: readonly RawLine[], input: ExtractInput, left: number): UnreadLines {
  const reading = readingOf(input);
  const isPlainReading =
    reading.lines.length === ingredients.length &&
    reading.lines.every(({ inciName, chineseName }, at) => {
      const line = ingredients[at]!;
      return line.inciName === inciName && line.chineseName === chineseName;
    });
  if (!isPlainReading) return { count: left, textLines: [] };
  const textLines = new Set([...reading.textLines.slice(MOST_LINES), ...reading.unread]);
  return { count: left + reading.unreadCount, textLines: [...textLines].sort((a, b) => a - b) };
}

const isExample = ([first]: readonly RawLine[]): boolean => first?.processNotes === EXAMPLE_NOTE;

/** Percentages have four decimals at most: added as integers, their sum is exact. */
const percentTotal = (lines: readonly ExtractedLine[]): string =>
  String(lines.reduce((sum, { percentage }) => sum + Math.round(percentage * 10_000), 0) / 10_000);

const isEntryOf = (requested: string, name: string): boolean =>
  requested.toLowerCase() === name.toLowerCase() || isSameName(requested, name);
