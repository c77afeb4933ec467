import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { Composition } from './composition';
import { readCompositions } from './composition.sql';

/** A version of a formula: its number, or the latest. */
export interface VersionReference {
  readonly formulaId: string;
  readonly version?: number;
}

interface FoundComposition {
  /** Position of the reference, counted from 1. */
  readonly position: number;
  /** Null if the formula has no such version. */
  readonly composition: Composition | null;
}

@Injectable()
export class CompositionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Reads these versions in one statement. Formulas that the user may not read are left out. */
  find(filter: RowFilter, references: readonly VersionReference[]): Promise<FoundComposition[]> {
    const readable = filter.for('formula', 'f', 3);
    const readableIngredient = filter.for('ingredient', 'i', 3 + readable.values.length);
    return this.database.query<FoundComposition>(
      { name: filter.named('lab.compositions'), text: readCompositions(readable, readableIngredient) },
      [
        references.map(({ formulaId }) => formulaId),
        references.map(({ version }) => version ?? null),
        ...readable.values,
        ...readableIngredient.values,
      ],
    );
  }
}
