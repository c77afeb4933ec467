import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { nameKey, searchText } from '../../src/platform/common/name-forms';
import { NameForms1767225600003 } from '../../src/platform/database/migrations/1767225600003-name-forms';
import { PercentSigns1767225600006 } from '../../src/platform/database/migrations/1767225600006-percent-signs';
import { substanceKey } from '../../src/ingredients/raw-materials/substance-names';
import { bootApp, type TestApp } from '../support/app';
import hardNames from '../support/hard-names.json';

/** Each form of a name is a function of the process and one of the database. They must agree. */
describe('The forms of a name, here and in the database', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await bootApp();
  });
  afterAll(() => service.close());

  interface Forms {
    name: string;
    searchText: string;
    nameKey: string;
    substanceKey: string;
  }

  /** Returns the names that the database gives another form than the process. */
  async function differing(names: readonly string[]): Promise<Forms[]> {
    const rows = await service.app.get(DataSource).query<(Forms & { plain: string })[]>(
      `SELECT name, search_text(name) AS "searchText", name_key(name) AS "nameKey",
              substance_key(name) AS "substanceKey",
              lower(normalize(name, NFKC)) AS plain
       FROM unnest($1::text[]) AS name`,
      [names],
    );
    return rows.filter(
      ({ name, plain, ...forms }) =>
        // Letters that are newer than the server's Unicode have no lower case or normal form there.
        plain === name.normalize('NFKC').replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ') &&
        (forms.searchText !== searchText(name) ||
          forms.nameKey !== nameKey(name) ||
          forms.substanceKey !== substanceKey(name)),
    );
  }

  it('are the same for hard names', async () => {
    expect(hardNames.length).toBeGreaterThan(100);
    expect(await differing(hardNames)).toEqual([]);
  });

  it('are the same for every character', async () => {
    const characters = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      // The letters of these scripts have neither case nor other forms, but for those of compatibility.
      .filter(
        (c) =>
          /\P{C}|\p{Cf}|\p{Cc}/u.test(c) &&
          !/(?=[\u3400-\u9fff\uac00-\ud7a3\u{1b000}-\u{1b2ff}\u{20000}-\u{323af}\u{17000}-\u{18d08}])\p{L}/u.test(
            c,
          ),
      );
    const names = Array.from({ length: Math.ceil(characters.length / 8) }, (_, at) =>
      characters
        .slice(at * 8, at * 8 + 8)
        .map((c) => `1${c}2 a${c}b`)
        .join(' '),
    );
    for (let from = 0; from < names.length; from += 2000) {
      expect(await differing(names.slice(from, from + 2000))).toEqual([]);
    }
  });

  it('are the same for random names', async () => {
    const special = fc.constantFrom(
      ..."aeIiς12,.-'’′+()（）［］【】 /·・™℠®½⁶αΣﬁ黃黄質质\u0301\u0323\u200b\u00ad\u00a0\u3000\u3164\u2800\u001fｸﾞ\u1100\u1161",
    );
    const character = fc.oneof(special, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
    const names = fc.string({ unit: character, maxLength: 40 }).map((name) => name.replaceAll('\0', ''));
    expect(await differing(fc.sample(names, 2000))).toEqual([]);
  });

  it('are the same for names of substances with marks, synonyms and numbers', async () => {
    const parts = fc.constantFrom(
      ...[
        'Aqua',
        'Water',
        'EAU',
        '水',
        '去离子水',
        'Purified',
        'deionised',
        'Parfum',
        'Fragrance',
        '香精',
        'Aroma',
      ],
      ...[
        'Zinc Oxide',
        'Nano',
        'nano',
        '(nano)',
        '（纳米）',
        '[nano form]',
        'non-nano',
        'nano-free)',
        'nanoparticles',
      ],
      ...[
        'C.I.',
        'CI',
        'No.',
        '77891',
        '15850:1',
        '*',
        '†',
        '¹',
        '⁾',
        ')',
        '(',
        '[',
        ']',
        '/',
        ',',
        '-',
        '–',
        ' ',
        '  ',
      ],
      ...[
        '锌',
        'é',
        'Ω',
        'ΟΔΟΣ',
        'İ',
        'ﬁ',
        '½',
        '\u00a0',
        '\u3000',
        '\u200b',
        '\ufeff',
        '\u2011',
        '\n',
        '\u2028',
        "'",
        '’',
      ],
    );
    const names = fc.array(parts, { maxLength: 7 }).map((some) => some.join(''));
    expect(await differing(fc.sample(names, 5000))).toEqual([]);
    const spaced = fc.array(parts, { maxLength: 6 }).map((some) => some.join(' '));
    expect(await differing(fc.sample(spaced, 5000))).toEqual([]);
  });

  it('are computed in indexes without a search path, as vacuum and pg_restore do', async () => {
    const source = service.app.get(DataSource);
    await source.query(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category) VALUES ('Cetearyl Alcohol', '', 'emollient')`,
    );
    await source.transaction(async (manager) => {
      await manager.query(`SET LOCAL search_path = ''`);
      const indexed = await manager.query<{ name: string }[]>(
        `SELECT DISTINCT indrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
         JOIN pg_namespace ON pg_namespace.oid = relnamespace
         WHERE indexprs IS NOT NULL AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'`,
      );
      expect(indexed.length).toBeGreaterThan(2);
      for (const { name } of indexed) {
        await manager.query(`REINDEX TABLE ${name}`);
        await manager.query(`ANALYZE ${name}`);
      }
    });
  });

  it('are computed again by the migration that changed them', async () => {
    const source = service.app.get(DataSource);
    await source.query(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category) VALUES ('Steareth-2¹', '', 'emulsifier')`,
    );
    await source.query(`UPDATE ingredients SET inci_key = 'steareth21' WHERE inci_name = 'Steareth-2¹'`);
    await source.query(
      `WITH author AS (INSERT INTO users (username, password_hash) VALUES ('author', 'x') RETURNING id)
       INSERT INTO formulas (name, created_by) SELECT 'Serum b5²', id FROM author`,
    );
    await source.query(`UPDATE formula_words SET words = '{serum,b52}' WHERE 'serum' = ANY (words)`);
    await new NameForms1767225600003().up(source.createQueryRunner());
    const [stored] = await source.query<{ key: string }[]>(
      `SELECT inci_key AS key FROM ingredients WHERE inci_name = 'Steareth-2¹'`,
    );
    expect(stored?.key).toBe('steareth2.1');
    const words = await source.query<{ word: string }[]>(
      `SELECT word FROM formula_words JOIN formulas ON id = formula_id, unnest(words) AS word
       WHERE name = 'Serum b5²' ORDER BY word`,
    );
    expect(words.map(({ word }) => word)).toEqual(['b5', 'serum']);
  });

  it.each([
    ['a wide percent sign', 'Serum 10 ％', '10 %'],
    ['a protected blank', 'Serum 11\u00a0%', '11 %'],
    ['an invisible character', 'Serum 12 \u200b%', '12 %'],
    ['a per mille sign', 'Serum 13 ‰', '13 ‰‰‰'],
  ])('have no blank before %s, also where they were stored before', async (_, name, key) => {
    const source = service.app.get(DataSource);
    await source.query(
      `WITH author AS (SELECT id FROM users LIMIT 1)
       INSERT INTO formulas (name, created_by) SELECT $1, id FROM author`,
      [name],
    );
    await source.query('UPDATE formulas SET search_key = $1 WHERE name = $2', [`serum ${key}`, name]);
    const runner = source.createQueryRunner();
    await new PercentSigns1767225600006().up(runner).finally(() => runner.release());
    const stored = await source.query<{ key: string }[]>(
      'SELECT search_key AS key FROM formulas WHERE name = $1',
      [name],
    );
    expect(stored).toEqual([{ key: `serum ${key.replace(' ', '')}\u001f` }]);
  });

  it('of CAS numbers have no zeros in front, also where they were stored before', async () => {
    const source = service.app.get(DataSource);
    const [material] = await source.query<{ id: string }[]>(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category)
       VALUES ('Zero Material', '', 'humectant') RETURNING id`,
    );
    await source.query(
      `INSERT INTO ingredient_names (ingredient_id, kind, position, name, key)
       VALUES ($1, 'cas', 0, '000056-81-5', name_key('000056-81-5'))`,
      [material!.id],
    );
    await source.query(
      `INSERT INTO ingredient_substances (ingredient_id, position, inci_name, min_percentage, max_percentage, role, cas_number)
       VALUES ($1, 0, 'Zero', 100, 100, 'ingredient', '000069-72-7')`,
      [material!.id],
    );
    await new NameForms1767225600003().up(source.createQueryRunner());
    const rows = await source.query<{ name: string; key: string; number: string }[]>(
      `SELECT n.name, n.key, s.cas_number AS number FROM ingredient_names n
       JOIN ingredient_substances s USING (ingredient_id) WHERE ingredient_id = $1`,
      [material!.id],
    );
    expect(rows).toEqual([{ name: '56-81-5', key: '56.81.5', number: '69-72-7' }]);
  });
});
