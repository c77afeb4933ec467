import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';

export interface WantedIngredient {
  readonly id: string | null;
  readonly inciName: string | null;
  readonly chineseName: string | null;
}

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

/** $1 ids, $2 INCI names, $3 Chinese names; from $4 on what the condition needs. */
const identify = (readable: string): string => `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])
      WITH ORDINALITY AS wanted (id, inci_name, chinese_name, position)
  ),
  found AS (
    SELECT wanted.position, i.id FROM wanted JOIN ingredients i ON i.id = wanted.id AND ${readable}
    UNION
    SELECT wanted.position, i.id FROM wanted
    JOIN ingredients i ON lower(i.inci_name) = lower(wanted.inci_name) AND ${readable}
    UNION
    SELECT wanted.position, i.id FROM wanted
    JOIN ingredients i ON i.chinese_name = wanted.chinese_name AND ${readable}
  )
  SELECT found.position::integer AS position, i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName",
    i.supplier
  FROM found JOIN ingredients i ON i.id = found.id AND ${readable}
  ORDER BY found.position, i.id`;

@Injectable()
export class FilesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Suppliers of ingredients that the reader may see, by the ingredients' ids. */
  async suppliers(filter: RowFilter, ingredientIds: readonly string[]): Promise<Map<string, string>> {
    const readable = filter.for('ingredient', 'i', 2);
    const found = await this.database.query<{ id: string; supplier: string }>(
      {
        name: filter.named('lab.files.suppliers'),
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
        name: filter.named('lab.files.formulas'),
        text: `SELECT f.id, f.name, f.description, p.name AS project FROM formulas f
               LEFT JOIN projects p ON p.id = f.project_id AND ${project.sql}
               WHERE f.id = ANY ($1::uuid[]) AND ${readable.sql}`,
      },
      [ids, ...readable.values, ...project.values],
    );
    return new Map(found.map(({ id, ...formula }) => [id, formula]));
  }

  /** For each that is wanted all ingredients that the reader may see and that have its id or one of its names. */
  async identify(filter: RowFilter, wanted: readonly WantedIngredient[]): Promise<NamedIngredient[][]> {
    const readable = filter.for('ingredient', 'i', 4);
    const found = await this.database.query<NamedIngredient & { position: number }>(
      { name: filter.named('lab.files.identify'), text: identify(readable.sql) },
      [
        wanted.map(({ id }) => id),
        wanted.map(({ inciName }) => inciName),
        wanted.map(({ chineseName }) => chineseName),
        ...readable.values,
      ],
    );
    const all = wanted.map((): NamedIngredient[] => []);
    for (const { position, ...ingredient } of found) all[position - 1]!.push(ingredient);
    return all;
  }
}
