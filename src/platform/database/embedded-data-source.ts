import { DataSource } from 'typeorm';
import type { EmbeddedPostgres } from './embedded/embedded-postgres';

/** A data source on the embedded database. Destroying it also ends the worker and unlocks the directory. */
export class EmbeddedDataSource extends DataSource {
  private embedded?: EmbeddedPostgres;

  /** Takes ownership of the running database of this data source. */
  own(embedded: EmbeddedPostgres): this {
    this.embedded = embedded;
    return this;
  }

  /** Stores the current database as a template for later ones. Does nothing if it cannot be written. */
  async keepAsTemplate(file: string): Promise<void> {
    await this.embedded?.saveTemplate(file).catch(() => undefined);
  }

  /** Limits the duration of statements from now on. Migrations run before, without a limit. */
  limitStatements(): void {
    this.embedded?.limitStatements();
  }

  override async destroy(): Promise<void> {
    try {
      await super.destroy();
    } finally {
      await this.embedded?.close();
    }
  }
}
