import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service';
import type { DedicatedConnection } from '../database/dedicated-connection';
import { TransactionManager } from '../database/transaction-manager';

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

/** `updated_at` stays unchanged, because the setting itself does not change. */
const REPLACE = {
  name: 'runtime-settings.replace',
  text: `UPDATE runtime_settings AS setting SET value = given.after
         FROM unnest($1::text[], $2::text[], $3::text[]) AS given (name, before, after)
         WHERE setting.name = given.name AND setting.value = given.before`,
};

/** Another encrypted form of the same value, applied only if the stored one is unchanged. */
export interface Replacement {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const REMOVE = {
  name: 'runtime-settings.remove',
  text: 'DELETE FROM runtime_settings WHERE name = ANY ($1::text[])',
};

const byName = (rows: readonly Row[]) => new Map(rows.map(({ name, value }) => [name, value]));

@Injectable()
export class RuntimeSettingsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
  ) {}

  async all(): Promise<ReadonlyMap<string, string>> {
    return byName(await this.database.query<Row>(ALL));
  }

  /** Reads all settings on a connection that requests do not use. */
  async allOn(connection: DedicatedConnection): Promise<ReadonlyMap<string, string>> {
    return byName((await connection.query<Row>(ALL.text)).rows);
  }

  /** Replaces all values in one statement, except those that have changed in the meantime. */
  async replace(replacements: readonly Replacement[]): Promise<void> {
    if (replacements.length === 0) return;
    const columns = (['name', 'before', 'after'] as const).map((column) =>
      replacements.map((replacement) => replacement[column]),
    );
    await this.database.query(REPLACE, columns);
  }

  /** Stores settings with a value and removes those without, in one transaction. */
  async write(values: ReadonlyMap<string, string | undefined>): Promise<void> {
    const stored = [...values].filter((entry): entry is [string, string] => entry[1] !== undefined);
    const removed = [...values.keys()].filter((name) => values.get(name) === undefined);
    await this.transactions.run(async () => {
      if (stored.length > 0) {
        await this.database.query(PUT, [stored.map(([name]) => name), stored.map(([, value]) => value)]);
      }
      if (removed.length > 0) await this.database.query(REMOVE, [removed]);
    });
  }
}
