import { Injectable } from '@nestjs/common';
import { type Extraction } from './extract-formula';
import { type FoundName, IngredientNamesRepository } from './ingredient-names.repository';
import { isSameName } from './close-name';
import { completePercentages } from './complete-percentages';
import { type ExtractedLine } from './extracted-line';

/** So many lines are read of a text: more than any formula has. */
const MOST_LINES = 200;
/** No ingredient has a longer name. */
const LONGEST_NAME = 200;

/** The lines of a formula, and how many more there were. */
export interface ExtractedFormula {
  readonly lines: ExtractedLine[];
  readonly unread: number;
}

/**
 * Turns what a model extracted into what the interface answers: numbers for amounts, names from the
 * catalogue.
 */
@Injectable()
export class FormulaExtraction {
  constructor(private readonly names: IngredientNamesRepository) {}

  async complete({ ingredients }: Extraction): Promise<ExtractedFormula> {
    const named = completePercentages(ingredients).filter(
      (line) => line.inciName !== '' || line.chineseName !== '',
    );
    const lines = named.slice(0, MOST_LINES);
    await this.fillChineseNames(lines.filter((line) => line.chineseName === ''));
    await this.fillInciNames(lines.filter((line) => line.inciName === ''));
    return { lines, unread: named.length - lines.length };
  }

  private async fillChineseNames(lines: readonly ExtractedLine[]): Promise<void> {
    const found = await this.entries(lines, 'inciName', (asked) => this.names.nearInciName(asked));
    for (const line of lines) line.chineseName = found.get(line.inciName)?.chineseName ?? '';
  }

  private async fillInciNames(lines: readonly ExtractedLine[]): Promise<void> {
    const found = await this.entries(lines, 'chineseName', (asked) => this.names.nearChineseName(asked));
    for (const line of lines) line.inciName = found.get(line.chineseName)?.inciName ?? '';
  }

  /** The entry for each name: the one of that name, else one that is the same but for spelling. */
  private async entries(
    lines: readonly ExtractedLine[],
    column: 'inciName' | 'chineseName',
    near: (asked: string[]) => Promise<FoundName[]>,
  ): Promise<Map<string, FoundName>> {
    const asked = [...new Set(lines.map((line) => line[column]))].filter(
      (name) => name.length <= LONGEST_NAME,
    );
    const found = new Map<string, FoundName>();
    if (asked.length === 0) return found;
    for (const entry of await near(asked)) {
      if (!found.has(entry.asked) && isEntryOf(entry.asked, entry[column])) found.set(entry.asked, entry);
    }
    return found;
  }
}

const isEntryOf = (asked: string, name: string): boolean =>
  asked.toLowerCase() === name.toLowerCase() || isSameName(asked, name);
