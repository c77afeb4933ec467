import { Injectable } from '@nestjs/common';
import { type Extraction } from '../capabilities/extract-formula';
import { CatalogueRepository, type NameColumn } from './catalogue.repository';
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
    await this.fill(lines, 'chineseName', 'inciName');
    await this.fill(lines, 'inciName', 'chineseName');
    return lines;
  }

  /** Fills an empty name from the catalogue's entry whose other name is the same; a given name is never replaced. */
  private async fill(lines: ExtractedLine[], empty: NameColumn, given: NameColumn): Promise<void> {
    const open = lines.filter((line) => line[empty] === '' && line[given] !== '');
    if (open.length === 0) return;
    const found = await this.catalogue.nearest(given, [...new Set(open.map((line) => line[given]))]);
    for (const line of open) {
      const entry = found.find(
        (candidate) =>
          candidate.asked === line[given] &&
          candidate[empty] !== '' &&
          isSameName(candidate[given], line[given]),
      );
      if (entry) line[empty] = entry[empty];
    }
  }
}
