import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../platform/access/row-filter';
import { hasIndexedLetters, likePattern } from './like-pattern';
import { DatabaseService } from '../../../platform/database/database.service';
import type { NameKind } from '../ingredient-name.entity';
import { resolveNames } from './resolve.sql';

/** A text to look up. */
export interface WantedText {
  readonly key: string;
  /** The text as written, if similar names are wanted; otherwise null. */
  readonly written: string | null;
}

/** A possible ingredient for a text. */
export interface FoundIngredient {
  readonly id: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly supplier: string | null;
  readonly via: 'inci' | 'chinese' | NameKind | 'similar';
}

@Injectable()
export class ResolveRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Finds the possible ingredients of each text in one statement: similar names by similarity, others by age. */
  async find(filter: RowFilter, texts: readonly WantedText[]): Promise<FoundIngredient[][]> {
    const readable = filter.for('ingredient', 'i', 5);
    const rows = await this.database.query<FoundIngredient & { number: number }>(
      { name: filter.named('lab.names.resolve'), text: resolveNames(readable) },
      [
        texts.map(({ key }) => key),
        texts.map(({ written }) => written),
        texts.map(({ written }) => written !== null && hasIndexedLetters(written)),
        texts.map(({ written }) => written && likePattern(written)),
        ...readable.values,
      ],
    );
    const found = texts.map((): FoundIngredient[] => []);
    for (const { number, ...ingredient } of rows) found[number - 1]!.push(ingredient);
    return found;
  }
}
