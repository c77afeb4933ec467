const EDITION = `
  e.id, e.name, e.regions, e.row_count AS "rowCount", e.refused_count AS "refusedCount",
  iso_time(e.imported_at) AS "importedAt"`;

const LIMIT = `
  l.id, l.edition_id AS "editionId", l.region, l.annex, l.entry, l.tier, l.substance, l.inci_names AS "inciNames",
  l.cas_numbers AS "casNumbers", l.kind, l.scope, l.product_types AS "productTypes",
  l.limit_percent::text AS "limitPercent", l.limit_text AS "limitText", l.basis, l.factor::text AS factor,
  l.sum_group AS "sumGroup", l.purpose, l.conditions, to_char(l.valid_from, 'YYYY-MM-DD') AS "validFrom",
  to_char(l.valid_until, 'YYYY-MM-DD') AS "validUntil", l.source`;

/** $1 name, $2 regions, $3 limits, $4 refused rows, $5 id or null for a new one. */
export const INSERT_EDITION = `
  INSERT INTO limit_editions AS e (name, regions, row_count, refused_count, id)
  VALUES ($1, $2::text[], $3, $4, coalesce($5::uuid, gen_random_uuid()))
  RETURNING ${EDITION}`;

/** $1 the edition, $2 a JSON list of limits, each with the keys by which it is found. */
export const INSERT_LIMITS = `
  WITH sent AS (
    SELECT gen_random_uuid() AS id, row.* FROM json_to_recordset($2::json) AS row (position integer, region text,
      annex text, entry text, tier text, substance text, "inciNames" json, "casNumbers" json, kind text, scope text,
      "productTypes" json, "limitPercent" numeric, "limitText" text, basis text, factor numeric, "sumGroup" text,
      purpose text, conditions text, "validFrom" date, "validUntil" date, source text, keys json)
  ), inserted AS (
    INSERT INTO limits (id, edition_id, position, region, annex, entry, tier, substance, inci_names, cas_numbers, kind,
      scope, product_types, limit_percent, limit_text, basis, factor, sum_group, purpose, conditions, valid_from,
      valid_until, source)
    SELECT id, $1::uuid, position, region, annex, entry, tier, substance,
      ARRAY(SELECT json_array_elements_text("inciNames")), ARRAY(SELECT json_array_elements_text("casNumbers")), kind,
      scope, CASE WHEN json_typeof("productTypes") = 'array'
        THEN ARRAY(SELECT json_array_elements_text("productTypes")) END,
      "limitPercent", "limitText", basis, factor, "sumGroup", purpose, conditions, "validFrom", "validUntil", source
    FROM sent
    RETURNING id
  )
  INSERT INTO limit_keys (edition_id, key, limit_id)
  SELECT $1::uuid, found.key, sent.id
  FROM sent JOIN inserted USING (id) CROSS JOIN LATERAL json_array_elements_text(sent.keys) AS found (key)`;

/** $1 most rows, $2 rows before them. */
export const LIST_EDITIONS = `
  SELECT ${EDITION} FROM limit_editions e ORDER BY e.imported_at DESC, e.id LIMIT $1 OFFSET $2`;

export const COUNT_EDITIONS = 'SELECT count(*)::integer AS total FROM limit_editions';

/** $1 the edition. */
export const READ_EDITION = `SELECT ${EDITION} FROM limit_editions e WHERE e.id = $1`;

/** $1 the name. */
export const FIND_EDITION = 'SELECT id FROM limit_editions WHERE name = $1';

/** $1 the edition, $2 most rows, $3 rows before them. */
export const LIST_LIMITS = `
  SELECT ${LIMIT} FROM limits l WHERE l.edition_id = $1 ORDER BY l.position LIMIT $2 OFFSET $3`;

/** $1 the edition. */
export const DELETE_EDITION = 'DELETE FROM limit_editions WHERE id = $1 RETURNING id, name';

/**
 * The edition that is asked for, or else the one imported last with rows of the region. $1 the region, $2 a name or an
 * id, or null.
 */
export const CHOOSE_EDITION = `
  SELECT ${EDITION}, ARRAY(
    SELECT DISTINCT l.annex FROM limits l WHERE l.edition_id = e.id AND l.region = $1 ORDER BY l.annex
  ) AS annexes
  FROM limit_editions e
  WHERE CASE WHEN $2::text IS NULL THEN $1 = ANY (e.regions) ELSE e.name = $2 OR e.id::text = lower($2) END
  ORDER BY e.name = $2 DESC NULLS LAST, e.imported_at DESC, e.id LIMIT 1`;

/**
 * Limits that name one of the substances, with those of their entries and sum groups. An entry without a number is that
 * of its substance. $1 the edition, $2 the region, $3 keys of names and CAS numbers, $4 the day: limits that ended
 * before it are left out.
 */
export const MATCH_LIMITS = `
  WITH wanted AS (
    SELECT DISTINCT key FROM unnest($3::text[]) AS sent (key)
  ), found AS (
    SELECT DISTINCT l.annex, l.entry, CASE WHEN l.entry = '' THEN l.substance ELSE '' END AS substance, l.sum_group
    FROM wanted JOIN limit_keys k ON k.edition_id = $1 AND k.key = wanted.key JOIN limits l ON l.id = k.limit_id
    WHERE l.region = $2 AND (l.valid_until IS NULL OR l.valid_until >= $4::date)
  ), entries AS (
    SELECT DISTINCT annex, entry, substance FROM found
  ), sums AS (
    SELECT DISTINCT sum_group FROM found WHERE sum_group IS NOT NULL
  )
  SELECT ${LIMIT}, l.valid_from > $4::date AS "isUpcoming"
  FROM limits l
  WHERE l.edition_id = $1 AND l.region = $2 AND (l.valid_until IS NULL OR l.valid_until >= $4::date)
    AND ((l.annex, l.entry, CASE WHEN l.entry = '' THEN l.substance ELSE '' END) IN (
        SELECT annex, entry, substance FROM entries)
      OR l.sum_group IN (SELECT sum_group FROM sums))
  ORDER BY l.position`;
