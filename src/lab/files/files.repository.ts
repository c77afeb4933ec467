import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../access/row-filter';
import { DatabaseService } from '../../database/database.service';

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
}
