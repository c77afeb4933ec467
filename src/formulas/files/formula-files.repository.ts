import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';

export interface NamedIngredient {
  readonly id: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly supplier: string | null;
}

export interface StoredFormula {
  readonly name: string;
  readonly description: string | null;
  readonly project: string | null;
}

@Injectable()
export class FilesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Suppliers of ingredients that the reader may see, by the ingredients' ids. */
  async suppliers(filter: RowFilter, ingredientIds: readonly string[]): Promise<Map<string, string>> {
    const readable = filter.for('ingredient', 'i', 2);
    const found = await this.database.query<{ id: string; supplier: string }>(
      {
        name: filter.named('files.suppliers'),
        text: `SELECT i.id, i.supplier FROM ingredients i
               WHERE i.id = ANY ($1::uuid[]) AND i.supplier IS NOT NULL AND ${readable.sql}`,
      },
      [ingredientIds, ...readable.values],
    );
    return new Map(found.map(({ id, supplier }) => [id, supplier]));
  }

  /** What formulas that the reader may see are called, by their ids. */
  async formulas(filter: RowFilter, ids: readonly string[]): Promise<Map<string, StoredFormula>> {
    const readable = filter.for('formula', 'f', 2);
    const project = filter.for('project', 'p', 2 + readable.values.length);
    const found = await this.database.query<StoredFormula & { id: string }>(
      {
        name: filter.named('files.formulas'),
        text: `SELECT f.id, f.name, f.description, p.name AS project FROM formulas f
               LEFT JOIN projects p ON p.id = f.project_id AND ${project.sql}
               WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values, ...project.values],
    );
    return new Map(found.map(({ id, ...formula }) => [id, formula]));
  }

  /** The ingredients with these ids that the reader may see. */
  async ingredients(filter: RowFilter, ids: readonly string[]): Promise<Map<string, NamedIngredient>> {
    const readable = filter.for('ingredient', 'i', 2);
    const found = await this.database.query<NamedIngredient>(
      {
        name: filter.named('files.ingredients'),
        text: `SELECT i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", i.supplier
               FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Map(found.map((ingredient) => [ingredient.id, ingredient]));
  }
}
