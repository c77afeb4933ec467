import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCH_TEXT } from './baseline/functions';

/** A search for `1%` finds `1 %`, and the other way round. */
export class PercentSigns1767225600006 implements MigrationInterface {
  name = 'PercentSigns1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH_TEXT);
    // Also wide signs and blanks. Triggers write the keys again.
    const apart = String.raw`'[0-9０-９]\s+[%％﹪‰]'`;
    await runner.query(
      `UPDATE ingredients SET inci_name = inci_name, chinese_name = chinese_name
       WHERE inci_name ~ ${apart} OR chinese_name ~ ${apart}`,
    );
    await runner.query(
      `UPDATE formulas SET name = name, description = description WHERE name ~ ${apart} OR description ~ ${apart}`,
    );
    await runner.query('REINDEX INDEX ix_color_formulas_name_key');
  }

  async down(): Promise<void> {
    // The function stays: other texts have the same forms as before.
  }
}
