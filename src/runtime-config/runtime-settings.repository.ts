import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';

interface Row {
  name: string;
  value: string;
}

const ALL = {
  name: 'runtime-settings.all',
  text: 'SELECT name, value FROM runtime_settings',
  shared: true,
};

const PUT = {
  name: 'runtime-settings.put',
  text: `INSERT INTO runtime_settings (name, value) SELECT * FROM unnest($1::text[], $2::text[])
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = now()`,
};

const REMOVE = {
  name: 'runtime-settings.remove',
  text: 'DELETE FROM runtime_settings WHERE name = ANY ($1::text[])',
};

@Injectable()
export class RuntimeSettingsRepository {
  constructor(private readonly database: Database) {}

  async all(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<Row>(ALL);
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  /** Stores what has a value and removes what has none, all or nothing. */
  async write(values: ReadonlyMap<string, string | undefined>): Promise<void> {
    const stored = [...values].filter((entry): entry is [string, string] => entry[1] !== undefined);
    const removed = [...values.keys()].filter((name) => values.get(name) === undefined);
    await this.database.transaction(async () => {
      if (stored.length > 0) {
        await this.database.query(PUT, [stored.map(([name]) => name), stored.map(([, value]) => value)]);
      }
      if (removed.length > 0) await this.database.query(REMOVE, [removed]);
    });
  }
}
