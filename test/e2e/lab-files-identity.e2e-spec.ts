import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula } from '../support/factories';

/*
 * What is exported and imported into an empty laboratory is the same again, in each format.
 */

const FORMATS = ['csv', 'xlsx', 'json'] as const;

/** Texts that spreadsheet programs take for something else, or that a file could break on. */
const HARD = [
  ...[
    '=1+1',
    '+a',
    '-b',
    '@c',
    "'=x",
    "''=x",
    "'x",
    '＝甲',
    'a;=b',
    "a;'=b",
    'a\t@b',
    'a\n=b',
    'a\r\nb',
    'a\rb',
  ],
  ...[
    '"q"',
    'a,"b"',
    '1-Mar',
    '2024-01-02',
    '#N/A',
    "'1-Mar",
    '00012',
    '1,5',
    '_x0041_',
    '<b>&amp;',
    'é',
    '甲，乙',
  ],
  ...['𠮷野', '😀', 'null', 'TRUE', '{"a":1}', '[1]', 'total x', 'a | b'],
];

const characters = fc.stringMatching(/^[ -~\n甲乙é℃％￥]{0,12}$/);
/** The front makes a text unlike a row of a sum; texts are stored as they are, and compared without blanks around. */
const texts = fc
  .oneof(
    fc.constantFrom(...HARD),
    characters.map((text) => `n${text}`),
  )
  .map((text) => text.trim());
const names = texts.filter((text) => text !== '');
const optional = fc.option(names, { nil: null });

let origin: TestApp;
let empty: TestApp;
let author: Account;
let newcomer: Account;
beforeAll(async () => {
  [origin, empty] = [await bootApp(), await bootApp()];
  [author, newcomer] = [await origin.register(), await empty.register()];
});
afterAll(() => Promise.all([origin.close(), empty.close()]));
afterEach(async () => {
  for (const { app } of [origin, empty]) {
    for (const table of ['formulas', 'color_formulas', 'ingredients']) {
      await app.get(DataSource).query(`DELETE FROM ${table}`);
    }
  }
});

/** Exports all in a format and imports it into an empty laboratory. */
async function copied(kind: string, format: string, query = ''): Promise<{ before: any[]; after: any[] }> {
  const { body } = await author
    .get(`/api/ext/export/${kind}?format=${format}`)
    .responseType('blob')
    .expect(200);
  const answer = await newcomer
    .post(`/api/ext/import/${kind}${query}`)
    .set('X-Language', 'en')
    .type(format === 'json' ? 'application/json' : 'application/octet-stream')
    .send(format === 'json' ? String(body) : (body as Buffer))
    .expect(200);
  expect(answer.body.data).toMatchObject({ applied: true, refused: 0, faults: [] });
  const all = async (account: Account) =>
    (await account.get(`/api/ext/export/${kind}?versions=current`).expect(200)).body.data as any[];
  return { before: await all(author), after: await all(newcomer) };
}

/** Texts as a file tells them apart. */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || null : value);
const sorted = (records: unknown[]) => records.map((record) => JSON.stringify(record)).sort();

const ingredients = fc.uniqueArray(
  fc.record({
    inciName: names,
    chineseName: names,
    supplier: optional,
    description: optional,
    unitPrice: fc.option(
      fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
      { nil: null },
    ),
  }),
  {
    minLength: 1,
    maxLength: 12,
    selector: ({ inciName }) => inciName.normalize('NFKC').replace(/\W/g, '') || inciName,
  },
);

async function createAll(samples: readonly object[], path: string) {
  for (const sample of samples) await author.post(path, sample).expect(201);
}

describe.each(FORMATS)('as %s', (format) => {
  it('ingredients are the same again', async () => {
    const [first] = fc.sample(ingredients, 1);
    const hard = HARD.map((text, at) => ({
      inciName: `h${at} ${text}`,
      chineseName: text,
      description: text,
      supplier: text,
    }));
    await createAll(
      [...first!, ...hard].map((each) => ({ ...each, functionCategory: 'other' })),
      '/api/ingredients',
    );
    const { before, after } = await copied('ingredients', format);
    const shown = ({ id: _, ...record }: any) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, trimmed(value)]));
    expect(sorted(after.map(shown))).toEqual(sorted(before.map(shown)));
    expect(after.length).toBe(first!.length + hard.length);
  });

  it('colours are the same again', async () => {
    const lab = fc.record({
      L: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
      a: fc.integer({ min: -12_800, max: 12_700 }).map((n) => n / 100),
      b: fc.integer({ min: -12_800, max: 12_700 }).map((n) => n / 100),
    });
    const composition = fc.oneof(
      fc.dictionary(
        fc.constantFrom('CI 77491', '=x', '红', 'a;b'),
        fc.integer({ min: 1, max: 99 }).map((n) => n / 10),
      ),
      fc.constant([{ a: ['=1', null] }]),
      fc.constantFrom('text', '1', '=x'),
    );
    const samples = fc.sample(
      fc.record({ targetLab: lab, actualLab: lab, colorantComposition: composition }),
      HARD.length,
    );
    await createAll(
      samples.map((sample, at) => ({ ...sample, name: `${HARD[at]!} ${at}` })),
      '/api/color/formulas',
    );
    const { before, after } = await copied('colors', format);
    const shown = ({ id: _, createdBy: __, ...record }: any) => record;
    expect(sorted(after.map(shown))).toEqual(sorted(before.map(shown)));
    expect(after.length).toBe(HARD.length);
  });

  it('colours without names, of one name, and equal ones are the same again', async () => {
    const targetLab = { L: 1, a: 2, b: 3 };
    const colors = [{}, {}, { name: 'X', deltaE: 1 }, { name: 'X' }, { name: 'x', colorantComposition: [1] }];
    await createAll(
      colors.map((color) => ({ ...color, targetLab })),
      '/api/color/formulas',
    );
    const { before, after } = await copied('colors', format);
    const shown = ({ id: _, createdBy: __, ...record }: any) => record;
    expect(after).toHaveLength(colors.length);
    expect(sorted(after.map(shown))).toEqual(sorted(before.map(shown)));
  });

  it('formulas are the same again: phases, notes, decimals, an ingredient in two lines', async () => {
    const ids: string[] = [];
    for (const [at, text] of HARD.entries()) {
      const record = { inciName: `${text} ${at}`, chineseName: `${text} ${at}`, functionCategory: 'other' };
      ids.push((await author.post('/api/ingredients', record).expect(201)).body.data.id);
    }
    const line = fc.record({
      ingredientId: fc.constantFrom(...ids),
      percentage: fc.integer({ min: 1, max: 9_999 }).map((n) => n / 10_000),
      processNotes: fc.option(texts, { nil: undefined }),
    });
    const phase = fc.record({
      name: names,
      sortOrder: fc.integer({ min: 0, max: 9 }),
      ingredients: fc.array(line, { minLength: 1, maxLength: 5 }),
    });
    const formula = fc.record({ name: names, phases: fc.array(phase, { minLength: 1, maxLength: 4 }) });
    const samples = fc.sample(formula, 20);
    for (const [at, { name, phases }] of samples.entries()) {
      const sum = phases
        .flatMap((one) => one.ingredients)
        .reduce((total, { percentage }) => total + percentage * 10_000, 0);
      const rest = {
        ingredientId: ids[0]!,
        percentage: (1_000_000 - Math.round(sum)) / 10_000,
        processNotes: undefined,
      };
      phases[0]!.ingredients.push(rest);
      await createFormula(author, phases, { name: `${name} ${at}`, description: HARD[at % HARD.length] });
    }
    const { before, after } = await copied('formulas', format, '?createIngredients=true');
    expect(sorted(after.map(shownFormula))).toEqual(sorted(before.map(shownFormula)));
    expect(after.length).toBe(samples.length);
  });
});

/** Phases of one name and order are one phase in a table. */
function shownFormula({ name, description, versions: [{ phases }] }: any) {
  const lines = new Map<string, unknown[]>();
  for (const phase of phases) {
    const key = JSON.stringify([phase.name.trim(), phase.sortOrder]);
    const own = phase.ingredients.map(({ ingredient, percentage, processNotes }: any) => [
      ...[
        ingredient.inciName.trim(),
        ingredient.chineseName.trim(),
        percentage,
        trimmed(processNotes ?? null),
      ],
    ]);
    lines.set(key, [...(lines.get(key) ?? []), ...own]);
  }
  return [name.trim(), trimmed(description ?? null), [...lines]];
}
