import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BETWEEN_DIGIT_AND_MARK } from '../../common/name-forms';

/** JavaScript's white space, before and after NFKC. */
const WRITTEN_BLANKS = String.raw`\u0009-\u000D \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`;
const BLANKS = String.raw`\u0009-\u000D \u1680\u2028\u2029`;

/** Blanks before a name, and footnote marks after it. */
const AROUND = `^[${WRITTEN_BLANKS}]+|([*†‡§]|[¹²³⁰⁴-⁹]+[⁾)]?)+[${WRITTEN_BLANKS}]*$`;
const INVISIBLE = String.raw`[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+`;
const NANO =
  `[${BLANKS}]*[([][${BLANKS}]*(nano(?![a-z0-9_]*[${BLANKS}-]free)|纳米)[^])]*[])]` +
  String.raw`|^[${BLANKS}]*(nano[${BLANKS}-]+|纳米)(?=[a-z\u00c0-\u02af\u0370-\u052f\u3041-\u30ff\u3400-\u9fff])` +
  `|(?<!non)[${BLANKS},-]+nano(particles?|materials?)?[${BLANKS}]*$`;

/** The twin of `substanceKey`; test/e2e/name-forms.e2e-spec.ts compares the two. */
const SUBSTANCE_KEY = String.raw`CREATE FUNCTION substance_key(inci_name text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT CASE
      WHEN words && ARRAY['aqua', 'water', 'eau', '水', '纯水', '纯化水', '去离子水']
        AND words <@ ARRAY['', 'aqua', 'water', 'eau', '水', '纯水', '纯化水', '去离子水', 'purified', 'purificata',
          'distilled', 'deionized', 'deionised', 'demineralized', 'demineralised'] THEN 'aqua'
      WHEN words && ARRAY['parfum', 'fragrance', 'perfume', '香精', '日用香精']
        AND words <@ ARRAY['', 'parfum', 'fragrance', 'perfume', '香精', '日用香精'] THEN 'parfum'
      WHEN words && ARRAY['aroma', 'flavor', 'flavour', '食用香精']
        AND words <@ ARRAY['', 'aroma', 'flavor', 'flavour', '食用香精'] THEN 'aroma'
      WHEN plain ~ '^c\.? ?i\.? ?(no\.? ?)?[0-9]{5}(:[0-9])?$'
        THEN 'ci ' || substring(plain FROM '[0-9]{5}(?::[0-9])?$')
      ELSE plain END
    FROM (
      SELECT btrim(regexp_replace(translate(regexp_replace(
        translate(
          normalize(lower(replace(
            normalize(regexp_replace(regexp_replace(regexp_replace(inci_name,
              '${AROUND}', '', 'g'), '${INVISIBLE}', '', 'g'), '${BETWEEN_DIGIT_AND_MARK}', ' ', 'g'), NFKC),
            U&'\0130', 'i')), NFC),
          U&'\03C2', U&'\03C3'),
        '${NANO}', ''),
        U&'\2010\2011\2012\2013\2014\2015\2212', '-------'), '[${BLANKS}]+', ' ', 'g'), ' ') AS plain
    ) spelt CROSS JOIN LATERAL regexp_split_to_array(plain, '[ /()]+') AS words
  )`;

/** Raw materials are found by the substances in them. A hash index takes keys of any length. */
export class SubstanceKeys1767225600007 implements MigrationInterface {
  name = 'SubstanceKeys1767225600007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SUBSTANCE_KEY);
    await runner.query(`CREATE FUNCTION write_substance_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.substance_key := substance_key(NEW.inci_name);
        RETURN NEW;
      END $$`);
    for (const table of ['ingredients', 'ingredient_substances']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN substance_key text`);
      await runner.query(`CREATE TRIGGER tr_${table}_substance_key BEFORE INSERT OR UPDATE OF inci_name ON ${table}
        FOR EACH ROW EXECUTE FUNCTION write_substance_key()`);
      await runner.query(`UPDATE ${table} SET substance_key = substance_key(inci_name)`);
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN substance_key SET NOT NULL`);
      await runner.query(`CREATE INDEX ix_${table}_substance_key ON ${table} USING hash (substance_key)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['ingredient_substances', 'ingredients']) {
      await runner.query(`DROP TRIGGER tr_${table}_substance_key ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN substance_key`);
    }
    await runner.query('DROP FUNCTION write_substance_key()');
    await runner.query('DROP FUNCTION substance_key(text)');
  }
}
