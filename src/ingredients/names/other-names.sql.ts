import type { Readable } from '../../platform/access/row-filter';

/** The names of an ingredient. $1 the ingredient; from $2 on what the condition needs. */
export const readNames = (readable: Readable): string => `
  SELECT i.id AS "ingredientId", array_to_json(ARRAY(
    SELECT row_to_json(named) FROM (
      SELECT n.kind, n.name FROM ingredient_names n WHERE n.ingredient_id = i.id ORDER BY n.kind, n.position
    ) named)) AS names
  FROM ingredients i WHERE i.id = $1 AND ${readable('ingredient', 'i')}`;

/** All names of ingredients. $1 the ingredients; from $2 on what the condition needs. */
export const readAllNames = (readable: Readable): string => `
  SELECT i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", array_to_json(ARRAY(
    SELECT row_to_json(named) FROM (
      SELECT n.kind, n.name, n.key FROM ingredient_names n
      WHERE n.ingredient_id = i.id ORDER BY n.kind, n.position
    ) named)) AS names
  FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable('ingredient', 'i')}`;

export const DELETE_NAMES = 'DELETE FROM ingredient_names WHERE ingredient_id = $1';

/** The names of ingredients, those of one kind in their order. $1 their ids. */
export const READ_NAMES_OF = `
  SELECT n.ingredient_id AS id, n.kind, n.name, n.key FROM ingredient_names n WHERE n.ingredient_id = ANY ($1::uuid[])
  ORDER BY n.position`;

/** Adds names behind those of their kind that ingredients have. $1 to $4 ingredients, kinds, names and keys. */
export const ADD_NAMES = `
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
