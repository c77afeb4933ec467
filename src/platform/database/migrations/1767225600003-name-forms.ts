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
    // The trigger of these words does nothing for an equal name.
    await runner.query(
      `WITH changed AS (
         UPDATE formula_words SET words = words_of(f.name || ' ' || coalesce(f.description, ''))
         FROM formulas f WHERE f.id = formula_words.formula_id AND (f.name ~ ${mark} OR f.description ~ ${mark})
         RETURNING words
       )
       INSERT INTO search_words (word)
       SELECT DISTINCT word FROM changed, unnest(words) AS changed_word (word)
       WHERE NOT EXISTS (SELECT FROM search_words known WHERE known.word = changed_word.word)`,
    );
    await runner.query(`UPDATE ingredient_names SET key = name_key(name) WHERE name ~ ${mark}`);
    // A CAS number has one form, without zeros before it.
    await runner.query(
      `UPDATE ingredient_names SET name = ltrim(name, '0'), key = name_key(ltrim(name, '0'))
       WHERE kind = 'cas' AND name LIKE '0%'`,
    );
    await runner.query(
      `UPDATE ingredient_substances SET cas_number = ltrim(cas_number, '0') WHERE cas_number LIKE '0%'`,
    );
    await runner.query(
      `UPDATE limits SET cas_numbers = string_to_array(regexp_replace(array_to_string(cas_numbers, ' '), '(^| )0+', '\\1', 'g'), ' ')
       WHERE array_to_string(cas_numbers, ' ') ~ '(^| )0'`,
    );
    await runner.query('REINDEX INDEX ix_color_formulas_name_key');
    await runner.query('REINDEX INDEX ix_ingredients_inci_spelling_key');
  }

  async down(): Promise<void> {
    // The functions stay: other names have the same forms as before.
  }
}
