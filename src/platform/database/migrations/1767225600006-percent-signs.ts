import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCH_TEXT } from './baseline/functions';

/** A search for `1%` finds `1 %`, and the other way round. */
export class PercentSigns1767225600006 implements MigrationInterface {
  name = 'PercentSigns1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH_TEXT);
    // The stored keys have plain digits and single blanks, however the text is written. Triggers write them again.
    const isApart = `search_key ~ '[0-9] [%‰]'`;
    await runner.query(
      `UPDATE ingredients SET inci_name = inci_name, chinese_name = chinese_name WHERE ${isApart}`,
    );
    await runner.query(`UPDATE formulas SET name = name, description = description WHERE ${isApart}`);
    await runner.query('REINDEX INDEX ix_color_formulas_name_key');
  }

  async down(): Promise<void> {
    // The function stays: other texts have the same forms as before.
  }
}
