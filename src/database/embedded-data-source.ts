import { DataSource } from 'typeorm';
import type { EmbeddedPostgres } from './embedded/embedded-postgres';

/** A data source on the embedded database: destroying it also ends the worker and frees the directory. */
export class EmbeddedDataSource extends DataSource {
  private embedded?: EmbeddedPostgres;

  /** Takes over the running database that this data source's connections lead to. */
  own(embedded: EmbeddedPostgres): this {
    this.embedded = embedded;
    return this;
  }

  /**
   * Keeps the database as it is now for later ones to begin with; where nothing can be written, nothing is
   * kept.
   */
  async keepAsTemplate(file: string): Promise<void> {
    await this.embedded?.saveTemplate(file).catch(() => undefined);
  }

  /** From now on no statement may run for too long; a migration may. */
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
