import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { StoredName } from './other-names-rules';

/** Ingredients with their other names. $1 the ingredients; from $2 on what the condition needs. */
const readNames = (readable: Readable): string => `
  SELECT i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", array_to_json(ARRAY(
    SELECT row_to_json(named) FROM (
      SELECT n.kind, n.name, n.key FROM ingredient_names n
      WHERE n.ingredient_id = i.id ORDER BY n.kind, n.position
    ) named)) AS names
  FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable('ingredient', 'i')}`;

const DELETE_NAMES = 'DELETE FROM ingredient_names WHERE ingredient_id = $1';

/** Adds names behind those of their kind that ingredients have. $1 to $4 ingredients, kinds, names and keys. */
const ADD_NAMES = `
  INSERT INTO ingredient_names (ingredient_id, kind, position, name, key)
  SELECT given.id, given.kind,
    coalesce((
      SELECT max(n.position) + 1 FROM ingredient_names n WHERE n.ingredient_id = given.id AND n.kind = given.kind
    ), 0) + row_number() OVER (PARTITION BY given.id, given.kind ORDER BY given.place) - 1, given.name, given.key
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
    WITH ORDINALITY AS given (id, kind, name, key, place)
  WHERE NOT EXISTS (
    SELECT FROM ingredient_names n
    WHERE n.ingredient_id = given.id AND n.kind = given.kind AND n.key = given.key COLLATE "C"
  )`;

/** An ingredient with all its names. */
export interface FullyNamed {
  readonly id: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly names: readonly StoredName[];
}

@Injectable()
export class OtherNamesRepository {
  constructor(private readonly database: DatabaseService) {}

  find(filter: RowFilter, ids: readonly string[]): Promise<FullyNamed[]> {
    return this.database.query<FullyNamed>(...filter.statement('names.read', [ids], readNames));
  }

  /** Replaces all names of an ingredient. Call it within a transaction. */
  async replace(id: string, names: readonly StoredName[]): Promise<void> {
    await this.database.query({ name: 'names.delete', text: DELETE_NAMES }, [id]);
    await this.add([{ id, names }]);
  }

  /** Adds the names that ingredients do not have yet. */
  async add(named: readonly { id: string; names: readonly StoredName[] }[]): Promise<void> {
    const rows = named.flatMap(({ id, names }) => names.map((name) => ({ id, ...name })));
    if (rows.length === 0) return;
    await this.database.query({ name: 'names.add', text: ADD_NAMES }, [
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ name }) => name),
      rows.map(({ key }) => key),
    ]);
  }
}
