import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { offsetOf } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import type { Slice } from '../../platform/http/envelope';
import type { CardRowDto, DocumentsQuery, ListedDocumentDto, ShownCardDto } from './card.dto';
import { CardEntity } from './card.entity';
import type { Card } from './card-rules';

/** Cards of ingredients, also of those that have none. $1 the ingredients; from $2 on what the condition needs. */
const readCards = (readable: Readable): string => `
  SELECT i.id AS "ingredientId", coalesce(c.suppliers, '[]') AS suppliers, c.density, c.strength, c.solvent,
    coalesce(c.documents, '[]') AS documents
  FROM ingredients i LEFT JOIN ingredient_cards c ON c.ingredient_id = i.id
  WHERE i.id = ANY ($1::uuid[]) AND ${readable('ingredient', 'i')}`;

/**
 * A page of documents that expire, the first ones first. $1 the day before which they do, null for all, $2 limit,
 * $3 offset; from $4 on what the condition needs.
 */
const listDocuments = (readable: Readable): string => `
  WITH found AS MATERIALIZED (
    SELECT i.id AS "ingredientId", i.inci_name AS "inciName", i.chinese_name AS "chineseName", document.*,
      listed.position
    FROM ingredient_cards c JOIN ingredients i ON i.id = c.ingredient_id AND ${readable('ingredient', 'i')}
    CROSS JOIN LATERAL json_array_elements(c.documents) WITH ORDINALITY AS listed (entry, position)
    CROSS JOIN LATERAL json_to_record(listed.entry)
      AS document (kind text, title text, address text, "validUntil" date)
    WHERE c.first_expiry < coalesce($1::date, 'infinity')
      AND document."validUntil" < coalesce($1::date, 'infinity')
  )
  SELECT (SELECT count(*) FROM found) AS total, array_to_json(ARRAY(
    SELECT row_to_json(shown) FROM (
      SELECT kind, title, address, to_char("validUntil", 'YYYY-MM-DD') AS "validUntil", "ingredientId", "inciName",
        "chineseName"
      FROM found ORDER BY found."validUntil", "inciName", "ingredientId", position LIMIT $2 OFFSET $3
    ) shown)) AS rows`;

/** Prices of cards, then documents; the first row of a card has its other facts. $1 most rows; from $2 on as above. */
const readRows = (readable: Readable): string => `
  SELECT i.id AS "ingredientId", i.inci_name AS ingredient, entry.supplier, entry.document, first.density,
    first.strength, first.solvent
  FROM ingredient_cards c JOIN ingredients i ON i.id = c.ingredient_id AND ${readable('ingredient', 'i')}
  LEFT JOIN LATERAL (
    SELECT supplier, NULL::json AS document, position
    FROM json_array_elements(c.suppliers) WITH ORDINALITY AS listed (supplier, position)
    UNION ALL
    SELECT NULL, document, json_array_length(c.suppliers) + position
    FROM json_array_elements(c.documents) WITH ORDINALITY AS listed (document, position)
  ) entry ON true
  LEFT JOIN ingredient_cards first ON first.ingredient_id = c.ingredient_id AND coalesce(entry.position, 1) = 1
  WHERE coalesce(entry.position, c.density, c.strength) IS NOT NULL
  ORDER BY lower(i.inci_name), i.id, entry.position LIMIT $1`;

@Injectable()
export class CardsRepository {
  constructor(private readonly database: DatabaseService) {}

  find(filter: RowFilter, ids: readonly string[]): Promise<ShownCardDto[]> {
    return this.database.query<ShownCardDto>(...filter.statement('cards.read', [ids], readCards));
  }

  listRows(filter: RowFilter, maxRows: number): Promise<CardRowDto[]> {
    return this.database.query<CardRowDto>(...filter.statement('cards.export', [maxRows], readRows));
  }

  /** Replaces the cards of these ingredients. */
  async replace(cards: ReadonlyMap<string, Card>): Promise<void> {
    const rows = [...cards].map(([ingredientId, card]) => {
      const [firstExpiry = null] = card.documents.flatMap(({ validUntil }) => validUntil ?? []).sort();
      return { ...card, ingredientId, firstExpiry };
    });
    await this.database.orm((manager) => manager.upsert(CardEntity, rows, ['ingredientId']));
  }

  async listDocuments(filter: RowFilter, query: DocumentsQuery): Promise<Slice<ListedDocumentDto>> {
    const values = [query.expiresBefore ?? null, query.limit, offsetOf(query)];
    const [slice] = await this.database.query<Slice<ListedDocumentDto>>(
      ...filter.statement('cards.documents', values, listDocuments),
    );
    return slice!;
  }
}
