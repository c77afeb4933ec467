import { randomUUID } from 'node:crypto';
import { getMetadataArgsStorage } from 'typeorm';
import { Injectable } from '@nestjs/common';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import {
  type EditionDto,
  type Limit,
  type LoadedEdition,
  LimitEntity,
  MAX_REFUSED,
  type Refusal,
} from './limit.entity';
import type { LimitDraft } from './limit-cells';

const EDITION = `
  e.id, e.name, e.regions, e.row_count AS "rowCount", e.refused_count AS "refusedCount",
  iso_time(e.imported_at) AS "importedAt", e.default_regions AS "defaultRegions"`;

const LIMIT = `
  l.id, l.edition_id AS "editionId", l.region, l.annex, l.entry, l.tier, l.substance, l.inci_names AS "inciNames",
  l.cas_numbers AS "casNumbers", l.kind, l.scope, l.product_types AS "productTypes",
  l.limit_percent::text AS "limitPercent", l.limit_text AS "limitText", l.basis, l.factor::text AS factor,
  l.sum_group AS "sumGroup", l.purpose, l.conditions, to_char(l.valid_from, 'YYYY-MM-DD') AS "validFrom",
  to_char(l.valid_until, 'YYYY-MM-DD') AS "validUntil", l.source`;

/** $1 name, $2 regions, $3 limits, $4 refused rows, $5 id or null for a new one, $6 the first refused rows. */
const INSERT_EDITION = `
  INSERT INTO limit_editions AS e (name, regions, row_count, refused_count, id, refused)
  VALUES ($1, $2::text[], $3, $4, coalesce($5::uuid, gen_random_uuid()), $6::jsonb)
  RETURNING ${EDITION}`;

/** The columns of `limits` by field. */
const COLUMNS_BY_FIELD = getMetadataArgsStorage()
  .filterColumns(LimitEntity)
  .map(({ propertyName, options }) => [propertyName, options.name ?? propertyName] as const);
const COLUMNS = COLUMNS_BY_FIELD.map(([, column]) => column).join(', ');

/** $1 rows of `limits`, as a JSON list. */
const INSERT_LIMITS = `
  INSERT INTO limits (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_recordset(NULL::limits, $1::json)`;

/** $1 rows of `limit_keys`, as a JSON list. */
const INSERT_LIMIT_KEYS = `
  INSERT INTO limit_keys (edition_id, key, limit_id)
  SELECT edition_id, key, limit_id FROM json_populate_recordset(NULL::limit_keys, $1::json)`;

/** $1 most rows, $2 rows before them. */
const LIST_EDITIONS = `
  SELECT ${EDITION} FROM limit_editions e ORDER BY e.imported_at DESC, e.id LIMIT $1 OFFSET $2`;

const COUNT_EDITIONS = 'SELECT count(*)::integer AS total FROM limit_editions';

/** $1 the edition. */
const READ_EDITION = `SELECT ${EDITION} FROM limit_editions e WHERE e.id = $1`;

/** $1 the name. */
const FIND_EDITION = 'SELECT id FROM limit_editions WHERE name = $1';

/** $1 the edition, $2 most rows, $3 rows before them. */
const LIST_LIMITS = `
  SELECT ${LIMIT} FROM limits l WHERE l.edition_id = $1 ORDER BY l.position LIMIT $2 OFFSET $3`;

/** $1 the edition that becomes the default, $2 its regions. */
const SET_DEFAULT = `
  UPDATE limit_editions e SET default_regions = CASE WHEN e.id = $1::uuid THEN $2::text[] ELSE ARRAY(
    SELECT region FROM unnest(e.default_regions) AS others (region) WHERE region <> ALL ($2::text[])) END
  WHERE e.id = $1::uuid OR e.default_regions && $2::text[]`;

/** $1 the edition. */
const DELETE_EDITION = 'DELETE FROM limit_editions WHERE id = $1 RETURNING id, name';

/**
 * The requested edition, or else the default of the region, or else the one imported last with rows of it.
 * $1 the region, $2 a name or an id, or null.
 */
const CHOOSE_EDITION = `
  SELECT ${EDITION}, e.refused, ARRAY(
    SELECT DISTINCT l.annex FROM limits l WHERE l.edition_id = e.id AND l.region = $1 ORDER BY l.annex
  ) AS annexes
  FROM limit_editions e
  WHERE CASE WHEN $2::text IS NULL THEN $1 = ANY (e.regions) ELSE e.name = $2 OR e.id::text = lower($2) END
  ORDER BY e.name = $2 DESC NULLS LAST, $1 = ANY (e.default_regions) DESC, e.imported_at DESC, e.id LIMIT 1`;

/**
 * Limits that name one of the substances, with those of their entries and sum groups. An entry without a number is that
 * of its substance. $1 the edition, $2 the region, $3 keys of names and CAS numbers, $4 the day: limits that ended
 * before it are left out.
 */
const MATCH_LIMITS = `
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

/** Rows per statement: no statement may delay other requests noticeably. */
const BATCH_ROWS = 1000;

type MatchedLimit = Limit & { readonly isUpcoming: boolean | null };

@Injectable()
export class RegulationsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Call it within a transaction. */
  async insert(
    { name, id = null }: { name: string; id?: string | null },
    limits: readonly LimitDraft[],
    refused: readonly Refusal[],
  ): Promise<EditionDto> {
    const regions = [...new Set(limits.map(({ region }) => region))].sort();
    const [edition] = await this.database.query<EditionDto>(
      { name: 'limits.insert-edition', text: INSERT_EDITION },
      [name, regions, limits.length, refused.length, id, JSON.stringify(refused.slice(0, MAX_REFUSED))],
    );
    for (let start = 0; start < limits.length; start += BATCH_ROWS) {
      const rows = limits.slice(start, start + BATCH_ROWS).map((limit, index) => ({
        ...limit,
        id: randomUUID(),
        editionId: edition!.id,
        position: start + index,
      }));
      const keys = rows.flatMap((limit) =>
        keysOf(limit).map((key) => ({ edition_id: edition!.id, key, limit_id: limit.id })),
      );
      await this.database.query({ name: 'limits.insert', text: INSERT_LIMITS }, [
        JSON.stringify(rows.map(asColumns)),
      ]);
      await this.database.query({ name: 'limits.insert-keys', text: INSERT_LIMIT_KEYS }, [
        JSON.stringify(keys),
      ]);
    }
    return edition!;
  }

  async listEditions(query: PageQuery): Promise<Slice<EditionDto>> {
    const rows = await this.database.query<EditionDto>({ name: 'limits.editions', text: LIST_EDITIONS }, [
      query.limit,
      offsetOf(query),
    ]);
    const [count] = await this.database.query<{ total: number }>({
      name: 'limits.count-editions',
      text: COUNT_EDITIONS,
    });
    return { rows, total: count!.total };
  }

  async findEdition(id: string): Promise<EditionDto | undefined> {
    const [edition] = await this.database.query<EditionDto>({ name: 'limits.edition', text: READ_EDITION }, [
      id,
    ]);
    return edition;
  }

  async findByName(name: string): Promise<string | undefined> {
    const [edition] = await this.database.query<{ id: string }>(
      { name: 'limits.edition-by-name', text: FIND_EDITION },
      [name],
    );
    return edition?.id;
  }

  list(editionId: string, query: PageQuery): Promise<Limit[]> {
    return this.database.query<Limit>({ name: 'limits.list', text: LIST_LIMITS }, [
      editionId,
      query.limit,
      offsetOf(query),
    ]);
  }

  async setDefault(id: string, regions: readonly string[]): Promise<void> {
    await this.database.query({ name: 'limits.set-default', text: SET_DEFAULT }, [id, regions]);
  }

  /** Returns true if the edition existed. */
  async deleteEdition(id: string): Promise<boolean> {
    const deleted = await this.database.query({ name: 'limits.delete-edition', text: DELETE_EDITION }, [id]);
    return deleted.length > 0;
  }

  /** @param nameOrId name or id of an edition; null for the one imported last with rows of the region */
  async chooseEdition(region: string, nameOrId: string | null): Promise<LoadedEdition | undefined> {
    const [edition] = await this.database.query<LoadedEdition>(
      { name: 'limits.choose-edition', text: CHOOSE_EDITION },
      [region, nameOrId],
    );
    return edition;
  }

  match(
    editionId: string,
    { region, on }: { region: string; on: string },
    keys: readonly string[],
  ): Promise<MatchedLimit[]> {
    return this.database.query<MatchedLimit>({ name: 'limits.match', text: MATCH_LIMITS }, [
      editionId,
      region,
      keys,
      on,
    ]);
  }
}

/** Returns the keys by which a limit is found. */
const keysOf = ({ inciNames, casNumbers }: LimitDraft): string[] => [
  ...new Set([...inciNames.map(substanceKey), ...casNumbers].filter((key) => key !== '')),
];

const asColumns = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(COLUMNS_BY_FIELD.map(([field, column]) => [column, row[field]]));
