import { DataSource } from 'typeorm';
import { RowFilter } from '../../src/platform/access/row-filter';
import ingredients from '../../src/cli/demo/ingredients.json';
import { searchWords } from '../../src/formulas/formula-list.sql';
import { FormulasRepository } from '../../src/formulas/formulas.repository';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';
import { randomNumbers } from '../support/random-numbers';

let service: TestApp;
let user: Account;
let database: DataSource;
let ingredientId: string;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
  ({ id: ingredientId } = await createIngredient(user));
});
afterAll(() => service.close());
beforeEach(() => database.query('DELETE FROM formulas'));

const create = (name: string, description?: string) =>
  createFormula(user, wholeOf(ingredientId), { name, description });
const search = async (text: string): Promise<string[]> => {
  const query = `?search=${encodeURIComponent(text)}&sortBy=name&sortOrder=asc&limit=100`;
  const { body } = await user.get(`/api/formulas${query}`).expect(200);
  return (body.data as { name: string }[]).map(({ name }) => name);
};

describe('The words of formulas', () => {
  it('follow name and description, and go with the formula', async () => {
    const { id } = await create('Velvet Cleanser', 'Soothing');
    expect(await search('velvit cleansor')).toEqual(['Velvet Cleanser']);
    await user.put(`/api/formulas/${id}`, { name: 'Midnight Serum' }).expect(200);
    expect(await search('velvit')).toEqual([]);
    expect(await search('midnigt')).toEqual(['Midnight Serum']);
    await user.put(`/api/formulas/${id}`, { description: null }).expect(200);
    expect(await search('soothng')).toEqual([]);
    await user.delete(`/api/formulas/${id}`).expect(204);
    expect(await database.query('SELECT * FROM formula_words')).toEqual([]);
    expect(await search('midnigt')).toEqual([]);
  });

  it('are kept once each, without numbers, without words longer than any search', async () => {
    const longest = 'x'.repeat(200);
    await create('Quartz 2024 spf50', `quartz QUARTZ ${longest} ${longest}y`);
    await create('Quartz');
    const stored = await database.query<{ word: string }[]>(
      `SELECT word FROM search_words WHERE word ~ '^(quartz|2024|spf50|x+y?)$' ORDER BY word`,
    );
    expect(stored.map(({ word }) => word)).toEqual(['quartz', 'spf50', longest]);
  });

  it('an import of rows without the service keeps them too', async () => {
    await database.query(
      `INSERT INTO formulas (name, created_by) SELECT 'Obsidian ' || n, $1 FROM generate_series(1, 3) n`,
      [user.id],
    );
    expect(await search('obsidiam')).toEqual(['Obsidian 1', 'Obsidian 2', 'Obsidian 3']);
    await database.query(`UPDATE formulas SET description = 'Malachite' WHERE name = 'Obsidian 2'`);
    expect(await search('malachote')).toEqual(['Obsidian 2']);
  });

  it('have the times of the formula beside them, whatever changes it', async () => {
    const times = () =>
      database.query<{ at: Date[]; beside: Date[] }[]>(
        `SELECT ARRAY[f.updated_at, f.created_at] AS at, ARRAY[w.updated_at, w.created_at] AS beside
         FROM formulas f LEFT JOIN formula_words w ON w.formula_id = f.id`,
      );
    const isSame = async () => {
      const [row] = await times();
      expect(row!.beside).toEqual(row!.at);
      return row!.at[0]!;
    };
    const { id } = await create('Citrine Balm');
    const seen = [await isSame()];
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
    seen.push(await isSame());
    await user.put(`/api/formulas/${id}`, { name: 'Citrine Salve' }).expect(200);
    seen.push(await isSame());
    await user.put(`/api/formulas/${id}`, { description: 'soft' }).expect(200);
    seen.push(await isSame());
    await database.query(
      `UPDATE formulas SET created_at = '2020-01-01T00:00Z', updated_at = '2021-01-01T00:00Z'`,
    );
    expect(await isSame()).toEqual(new Date('2021-01-01T00:00:00Z'));
    expect(seen).toEqual(seen.toSorted((one, other) => one.getTime() - other.getTime()));
    expect(await search('citrime salfe')).toEqual(['Citrine Salve']);
  });

  it.each(['updatedAt', 'createdAt'])(
    'are sorted by %s and told page by page, after revisions too',
    async (sortBy) => {
      const made = [];
      for (let n = 0; n < 5; n++) made.push(await create(`Jasper ${n}`));
      const revised = made[1]!;
      await user
        .put(`/api/formulas/${revised.id}/composition`, { phases: wholeOf(ingredientId) })
        .expect(200);
      const { body: all } = await user.get(`/api/formulas?sortBy=${sortBy}&limit=100`).expect(200);
      const expected = (all.data as { name: string }[]).map(({ name }) => name);
      expect(expected[0]).toBe(sortBy === 'updatedAt' ? 'Jasper 1' : 'Jasper 4');
      for (const sortOrder of ['asc', 'desc']) {
        const names: string[] = [];
        for (let page = 1; page <= 3; page++) {
          const query = `search=jaspor&sortBy=${sortBy}&sortOrder=${sortOrder}&page=${page}&limit=2`;
          const { body } = await user.get(`/api/formulas?${query}`).expect(200);
          expect(body.pagination.total).toBe(5);
          names.push(...(body.data as { name: string }[]).map(({ name }) => name));
        }
        expect(names).toEqual(sortOrder === 'desc' ? expected : expected.toReversed());
      }
    },
  );

  it('words of a formula that was not written are forgotten with it', async () => {
    const phases = wholeOf('00000000-0000-4000-8000-000000000000');
    await user.post('/api/formulas', { name: 'Turmaline', phases }).expect(400);
    expect(await database.query(`SELECT FROM search_words WHERE word = 'turmaline'`)).toEqual([]);
  });

  it('typing errors are forgiven in sixteen words, not in seventeen', async () => {
    const words = Array.from({ length: 17 }, (_, at) => `${'abcdefghijklmnopq'[at]!.repeat(2)}zephyr`);
    await create('Alphabet', words.join(' '));
    const misspelt = words.map((word) => word.replace('ph', 'f')).reverse();
    expect(await search(misspelt.slice(1).join(' '))).toEqual(['Alphabet']);
    expect(await search(misspelt.join(' '))).toEqual([]);
    // A word said twice is one.
    expect(await search([...misspelt.slice(1), misspelt[1]].join(' '))).toEqual(['Alphabet']);
  });

  it('words of one or two letters are found with the others, and without', async () => {
    await create('Azulene Mist', 'no 7 b c');
    await create('Azulene Gel');
    expect(await search('azulen b')).toEqual(['Azulene Mist']);
    expect(await search('c b 7')).toEqual(['Azulene Mist']);
    expect(await search('c b 8')).toEqual([]);
    expect(await search('gel az')).toEqual(['Azulene Gel']);
  });
});

/** What searches were before there were words: each text compared with each word of the search. */
const COMPARED = `
  SELECT name FROM formulas f
  WHERE NOT EXISTS (SELECT FROM unnest($1::text[]) AS word
                    WHERE f.search_key NOT LIKE search_key('%' || word || '%'))
    AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS word
                    WHERE greatest(strict_word_similarity(word, f.name),
                                   strict_word_similarity(word, f.description)) <= 0.3)
  ORDER BY name`;

describe('The words of a text', () => {
  it.each([
    ['', []],
    ['SPF-50 Crème  2024 x1, x1 保湿 X1', ['crème', 'spf', 'x1', '保湿']],
    [`${'x'.repeat(200)} ${'y'.repeat(201)}`, ['x'.repeat(200)]],
  ])('of %j are its own in lower case, without numbers and what is too long', async (text, words) => {
    const found = await database.query<{ word: string }[]>(
      'SELECT word FROM unnest(words_of($1)) AS word ORDER BY word COLLATE "C"',
      [text],
    );
    expect(found.map(({ word }) => word)).toEqual(words);
  });
});

describe('The spelling of a name', () => {
  it.each([
    ['Iron Oxides (CI 77491)', 'iroon oxiid cici 77491 '],
    ['IRON-OXIDE CI77491', 'iroon oxiid cici 77491 '],
    ['Café５0', 'cafaf éé 5050 '],
    ['Glass se', 'glala '],
  ])('%s has this key', async (name, key) => {
    expect(await database.query('SELECT spelling_key($1) AS key', [name])).toEqual([{ key }]);
  });

  it('has at most 200 characters, however long a name becomes in NFKC: an index entry has a limit', async () => {
    // 18 characters each.
    const [{ length }] = await database.query('SELECT length(spelling_key($1))', ['\ufdfa'.repeat(200)]);
    expect(length).toBe(200);
  });
});

describe('Typing errors', () => {
  const random = randomNumbers(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const KINDS = [
    ...[
      'Cream',
      'Lotion',
      'Cleanser',
      'Shampoo',
      'Sunscreen',
      'Moisturizer',
      'Oil-free Gel',
      'Anti-aging Mask',
    ],
    ...['保湿面霜', '美白精华液', '氨基酸洁面乳', '舒缓修护乳液', '深层清洁凝胶', '儿童润肤露'],
  ];
  /** The n-th way of misspelling: one letter lost, another, two swapped, two others, split, joined. */
  const misspell = (text: string, way: number): string => {
    const letters = [...text];
    const at = 1 + Math.floor(random() * Math.max(1, letters.length - 2));
    const other = /\p{Script=Han}/u.test(text) ? '的' : 'x';
    switch (way % 6) {
      case 0:
        return letters.toSpliced(at, 1).join('');
      case 1:
        return letters.toSpliced(at, 1, other).join('');
      case 2:
        return letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()).join('');
      case 3:
        return letters.toSpliced(at, 1, other).toSpliced(-1, 1).join('');
      case 4:
        return letters.toSpliced(at, 0, ' ').join('');
      default:
        return text.replace(/[\s-]/u, '');
    }
  };

  it('are forgiven as by comparing every text: at most 1 % differ, no row too many', async () => {
    const names = Array.from({ length: 250 }, (_, at) => {
      const { inciName, chineseName } = ingredients[at % ingredients.length]!;
      return `${inciName} ${pick(KINDS)} ${chineseName} ${at}`;
    });
    await database.query(
      `INSERT INTO formulas (name, description, created_by)
       SELECT name, description, $1 FROM unnest($2::text[], $3::text[]) AS made (name, description)`,
      [user.id, names, names.map(() => `${pick(KINDS)} with ${pick(ingredients).inciName},${pick(KINDS)}`)],
    );
    const asked = Array.from({ length: 360 }, (_, at) => {
      const { inciName, chineseName } = pick(ingredients);
      const words = [pick(inciName.split(/\s+/)), pick(KINDS), chineseName, `${pick(KINDS)} ${pick(KINDS)}`];
      return misspell(words[at % 4]!, Math.floor(at / 4));
    });
    const repository = service.app.get(FormulasRepository);
    const listing = { sortBy: 'name', sortOrder: 'asc', page: 1, limit: 1000 } as const;
    const different: string[] = [];
    let found = 0;
    for (const text of asked) {
      const { literal, fuzzy } = searchWords(text);
      if (literal.length + fuzzy.length === 0) continue;
      const before = (await database.query<{ name: string }[]>(COMPARED, [literal, fuzzy])).map(
        (f) => f.name,
      );
      const words = await repository.similarWords(RowFilter.EVERYTHING, fuzzy);
      const search = { words, texts: literal };
      const { rows } = await repository.search(RowFilter.EVERYTHING, search, listing);
      const after = rows.parse().map(({ name }) => name);
      expect({ text, tooMany: after.filter((name) => !before.includes(name)) }).toEqual({
        text,
        tooMany: [],
      });
      if (after.length < before.length) different.push(text);
      if (before.length > 0) found += 1;
    }
    expect(asked.length).toBeGreaterThanOrEqual(300);
    expect(found).toBeGreaterThan(200);
    expect(different.length).toBeLessThanOrEqual(asked.length / 100);
  });
});
