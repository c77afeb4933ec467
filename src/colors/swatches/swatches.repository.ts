import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../platform/access/row-filter';
import { DatabaseService } from '../../platform/database/database.service';
import type { LabColor } from './swatch';

@Injectable()
export class SwatchesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The measured colours of those of these colour formulas that have one, by id. */
  async findMeasured(filter: RowFilter, ids: readonly string[]): Promise<Map<string, LabColor>> {
    const readable = filter.for('color', 'c', 2);
    const found = await this.database.query<{ id: string; measured: LabColor }>(
      {
        name: filter.named('lab.swatches.measured'),
        text: `SELECT c.id, json_build_object('L', c.actual_l, 'a', c.actual_a, 'b', c.actual_b) AS measured
          FROM color_formulas c WHERE c.id = ANY ($1::uuid[]) AND c.actual_l IS NOT NULL AND ${readable.sql}`,
      },
      [ids, ...readable.values],
    );
    return new Map(found.map(({ id, measured }) => [id, measured]));
  }
}
