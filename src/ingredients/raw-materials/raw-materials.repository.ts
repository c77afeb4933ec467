import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import {
  DELETE_SUBSTANCES,
  identifyIngredients,
  INSERT_SUBSTANCES,
  MOVE_SUBSTANCES,
  readAllSubstances,
  readRawMaterial,
  readSubstances,
} from './raw-material.sql';
import type { Substance } from './substance';

/** An ingredient with the substances that it consists of; none where they are not given. */
export interface RawMaterial {
  readonly ingredientId: string;
  readonly inciName: string;
  readonly substances: readonly Substance[];
}

export type SubstanceOfIngredient = Substance & { readonly ingredientId: string };

export type ExportedSubstance = SubstanceOfIngredient & {
  readonly ingredient: string;
  readonly supplier: string | null;
};

/** How a row of an import names its ingredient. */
export interface IngredientReference {
  readonly id: string | null;
  readonly inciName: string | null;
  readonly supplier: string | null;
}

@Injectable()
export class RawMaterialsRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(filter: RowFilter, id: string): Promise<RawMaterial | undefined> {
    const readable = filter.for('ingredient', 'i', 2);
    const [found] = await this.database.query<RawMaterial>(
      { name: filter.named('lab.raw-materials.read'), text: readRawMaterial(readable) },
      [id, ...readable.values],
    );
    return found;
  }

  /** In the order of their positions, those of one ingredient together. */
  substancesOf(
    filter: RowFilter,
    ingredientIds: readonly string[],
    maxRows: number,
  ): Promise<SubstanceOfIngredient[]> {
    const readable = filter.for('ingredient', 'i', 3);
    return this.database.query<SubstanceOfIngredient>(
      { name: filter.named('lab.raw-materials.substances'), text: readSubstances(readable) },
      [ingredientIds, maxRows, ...readable.values],
    );
  }

  listAll(filter: RowFilter, maxRows: number): Promise<ExportedSubstance[]> {
    const readable = filter.for('ingredient', 'i', 2);
    return this.database.query<ExportedSubstance>(
      { name: filter.named('lab.raw-materials.export'), text: readAllSubstances(readable) },
      [maxRows, ...readable.values],
    );
  }

  /** For each reference the ids of the ingredients that fit it. */
  async identify(filter: RowFilter, references: readonly IngredientReference[]): Promise<string[][]> {
    const readable = filter.for('ingredient', 'i', 4);
    const found = await this.database.query<{ position: number; id: string }>(
      { name: filter.named('lab.raw-materials.identify'), text: identifyIngredients(readable) },
      [
        references.map(({ id }) => id),
        references.map(({ inciName }) => inciName),
        references.map(({ supplier }) => supplier),
        ...readable.values,
      ],
    );
    const ids = references.map((): string[] => []);
    for (const { position, id } of found) ids[position - 1]!.push(id);
    return ids;
  }

  /** Replaces the compositions of these ingredients. Call it within a transaction. */
  async replace(compositions: ReadonlyMap<string, readonly Substance[]>): Promise<void> {
    const rows = [...compositions].flatMap(([ingredientId, substances]) =>
      substances.map((substance, position) => ({ ...substance, ingredientId, position })),
    );
    await this.database.query({ name: 'lab.raw-materials.delete', text: DELETE_SUBSTANCES }, [
      [...compositions.keys()],
    ]);
    if (rows.length === 0) return;
    await this.database.query({ name: 'lab.raw-materials.insert', text: INSERT_SUBSTANCES }, [
      JSON.stringify(rows),
    ]);
  }

  /** Gives the composition of one ingredient to another, unless that has one. Call it within a transaction. */
  async move(id: string, into: string): Promise<void> {
    await this.database.query({ name: 'lab.raw-materials.move', text: MOVE_SUBSTANCES }, [id, into]);
  }
}
