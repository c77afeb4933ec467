import { Injectable } from '@nestjs/common';
import { type Extraction } from '../capabilities/extract-formula';
import { CatalogueRepository } from './catalogue.repository';
import { isSameName } from './close-name';
import { completePercentages } from './complete-percentages';
import { type ExtractedLine } from './extracted-line';

/** Turns what a model extracted into what the interface answers: numbers for amounts, names from the catalogue. */
@Injectable()
export class FormulaExtraction {
  constructor(private readonly catalogue: CatalogueRepository) {}

  async complete({ ingredients }: Extraction): Promise<ExtractedLine[]> {
    const lines = completePercentages(ingredients).filter(
      (line) => line.inciName !== '' || line.chineseName !== '',
    );
    await this.fillChineseNames(lines.filter((line) => line.chineseName === ''));
    await this.fillInciNames(lines.filter((line) => line.inciName === ''));
    return lines;
  }

  /** By the INCI name, first as it is, then by one that is the same but for spelling. */
  private async fillChineseNames(lines: ExtractedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const exact = new Map(
      (await this.catalogue.byInciName(names(lines, 'inciName')))
        .reverse()
        .map((entry) => [entry.asked, entry]),
    );
    for (const line of lines) line.chineseName = exact.get(line.inciName)?.chineseName ?? '';
    const open = lines.filter((line) => line.chineseName === '');
    if (open.length === 0) return;
    const near = await this.catalogue.nearInciName(names(open, 'inciName'));
    for (const line of open) {
      const entry = near.find(
        ({ asked, inciName }) => asked === line.inciName && isSameName(asked, inciName),
      );
      line.chineseName = entry?.chineseName ?? '';
    }
  }

  /** Chinese names are short: one character more is another substance, so only the same name counts. */
  private async fillInciNames(lines: ExtractedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const exact = new Map(
      (await this.catalogue.byChineseName(names(lines, 'chineseName')))
        .reverse()
        .map((entry) => [entry.asked, entry]),
    );
    for (const line of lines) line.inciName = exact.get(line.chineseName)?.inciName ?? '';
  }
}

function names(lines: readonly ExtractedLine[], name: 'inciName' | 'chineseName'): string[] {
  return [...new Set(lines.map((line) => line[name]))];
}
