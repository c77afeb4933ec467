import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service';

/** How long refused rows can be fetched. */
export const REFUSALS_KEPT_MINUTES = 60;

/** Most files of one user: the oldest make room. */
const MOST_FILES = 5;

/** Rows that imports have refused. Only the user who imported them reads them. */
@Injectable()
export class RefusalsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @returns the id of the file */
  async add(userId: string, content: string): Promise<string> {
    const [added] = await this.database.query<{ id: string }>(
      {
        name: 'files.add-refusals',
        text: `
          WITH gone AS (
            DELETE FROM import_refusals
            WHERE created_at < now() - $3 * interval '1 minute'
              OR id IN (SELECT id FROM import_refusals WHERE created_by = $1 ORDER BY created_at DESC OFFSET $4 - 1)
          )
          INSERT INTO import_refusals (created_by, content) VALUES ($1, $2) RETURNING id`,
      },
      [userId, content, REFUSALS_KEPT_MINUTES, MOST_FILES],
    );
    return added!.id;
  }

  async find(userId: string, id: string): Promise<string | undefined> {
    const [found] = await this.database.query<{ content: string }>(
      {
        name: 'files.refusals',
        text: `SELECT content FROM import_refusals
               WHERE id = $1 AND created_by = $2 AND created_at >= now() - $3 * interval '1 minute'`,
      },
      [id, userId, REFUSALS_KEPT_MINUTES],
    );
    return found?.content;
  }
}
