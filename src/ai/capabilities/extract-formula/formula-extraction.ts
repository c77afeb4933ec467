import { Injectable } from '@nestjs/common';
import { type Extraction } from './extract-formula';
import { type FoundName, IngredientNamesRepository } from './ingredient-names.repository';
import { isSameName } from './close-name';
import { completePercentages } from './complete-percentages';
import { type ExtractedLine } from './extracted-line';

/**
 * Turns what a model extracted into what the interface answers: numbers for amounts, names from the
 * catalogue.
 */
@Injectable()
export class FormulaExtraction {
  constructor(private readonly names: IngredientNamesRepository) {}

  async complete({ ingredients }: Extraction): Promise<ExtractedLine[]> {
    const lines = completePercentages(ingredients).filter(
      (line) => line.inciName !== '' || line.chineseName !== '',
    );
    await this.fillChineseNames(lines.filter((line) => line.chineseName === ''));
    await this.fillInciNames(lines.filter((line) => line.inciName === ''));
    return lines;
  }

  private async fillChineseNames(lines: ExtractedLine[]): Promise<void> {
    const found = await this.entries(names(lines, 'inciName'), 'inciName', {
      exact: (asked) => this.names.byInciName(asked),
      near: (asked) => this.names.nearInciName(asked),
    });
    for (const line of lines) line.chineseName = found.get(line.inciName)?.chineseName ?? '';
  }

  private async fillInciNames(lines: ExtractedLine[]): Promise<void> {
    const found = await this.entries(names(lines, 'chineseName'), 'chineseName', {
      exact: (asked) => this.names.byChineseName(asked),
      near: (asked) => this.names.nearChineseName(asked),
    });
    for (const line of lines) line.inciName = found.get(line.chineseName)?.inciName ?? '';
  }

  /**
   * The catalogue's entry for each name: the one of that name, else one whose name is the same but for
   * spelling.
   */
  private async entries(
    asked: string[],
    column: NameColumn,
    { exact, near }: Record<'exact' | 'near', (asked: string[]) => Promise<FoundName[]>>,
  ): Promise<Map<string, FoundName>> {
    const found = new Map<string, FoundName>();
    const keepFirst = (entry: FoundName): void => {
      if (!found.has(entry.asked)) found.set(entry.asked, entry);
    };
    if (asked.length > 0) (await exact(asked)).forEach(keepFirst);
    const open = asked.filter((name) => !found.has(name));
    if (open.length > 0) {
      (await near(open)).filter((entry) => isSameName(entry.asked, entry[column])).forEach(keepFirst);
    }
    return found;
  }
}

type NameColumn = 'inciName' | 'chineseName';

function names(lines: readonly ExtractedLine[], column: NameColumn): string[] {
  return [...new Set(lines.map((line) => line[column]))];
}
