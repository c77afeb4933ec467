import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BETWEEN_DIGIT_AND_MARK } from '../../common/name-forms';
import { SEARCH_TEXT, SPELLING_KEY } from './baseline/functions';

/**
 * A footnote mark no longer continues a number (`Steareth-2¹` was found as `Steareth-21`), and vacuum and restore can
 * compute the index of spellings without a search path.
 */
export class NameForms1767225600003 implements MigrationInterface {
  name = 'NameForms1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH_TEXT);
    await runner.query(SPELLING_KEY);
    const mark = `'${BETWEEN_DIGIT_AND_MARK}'`;
    // Triggers write the keys again.
    await runner.query(
      `UPDATE ingredients SET inci_name = inci_name, chinese_name = chinese_name
       WHERE inci_name ~ ${mark} OR chinese_name ~ ${mark}`,
    );
    await runner.query(
      `UPDATE formulas SET name = name, description = description WHERE name ~ ${mark} OR description ~ ${mark}`,
    );
    await runner.query(`UPDATE ingredient_names SET key = name_key(name) WHERE name ~ ${mark}`);
    await runner.query('REINDEX INDEX ix_color_formulas_name_key');
    await runner.query('REINDEX INDEX ix_ingredients_inci_spelling_key');
  }

  async down(): Promise<void> {
    // The functions stay: other names have the same forms as before.
  }
}
