import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { CieLabIndex } from '../../src/colors/cie-lab-index';
import { cellNumber, ciede2000, euclideanDifference, type CieLab } from '../../src/colors/difference';
import { DatabaseService } from '../../src/platform/database/database.service';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { countStatements } from '../support/statements';

interface Stored {
  id: string;
  name: string;
  lab: CieLab;
}

let service: TestApp;
let user: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
});

afterAll(() => service.close());

/** Uniform numbers in [0, 1), the same on every run. */
function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}

/** Puts colours into the table directly: thousands of requests would only take longer. */
async function store(
  labs: CieLab[],
  idOf: (index: number) => string = () => randomUUID(),
): Promise<Stored[]> {
  const colors = labs.map((lab, index) => ({ id: idOf(index), name: `色${index}`, lab }));
  await database.query(
    `INSERT INTO color_formulas (id, name, l, a, b, created_by)
     SELECT id, name, l, a, b, $2 FROM json_to_recordset($1::json)
       AS color (id uuid, name text, l float8, a float8, b float8)`,
    [
      JSON.stringify(colors.map(({ id, name, lab }) => ({ id, name, l: lab.L, a: lab.a, b: lab.b }))),
      user.id,
    ],
  );
  return colors;
}

const forget = () => database.query('DELETE FROM color_formulas');

/** The whole table ranked, ties by id: what the endpoints must answer. */
function ranked(colors: Stored[], query: CieLab, difference: (x: CieLab, y: CieLab) => number) {
  return colors
    .map((color) => ({ ...color, distance: difference(query, color.lab) }))
    .sort((x, y) => x.distance - y.distance || (x.id < y.id ? -1 : 1));
}

const match = (query: CieLab, limit?: number) =>
  user.get(
    `/api/color/formulas/match?L=${query.L}&a=${query.a}&b=${query.b}${limit ? `&limit=${limit}` : ''}`,
  );

async function expectExactMatches(colors: Stored[], query: CieLab): Promise<void> {
  const expected = ranked(colors, query, ciede2000).map(({ id, distance }) => ({ id, distance }));
  for (const limit of [1, 5, 20]) {
    const { body } = await match(query, limit).expect(200);
    expect(body.data.map(({ id, distance }: Stored & { distance: number }) => ({ id, distance }))).toEqual(
      expected.slice(0, limit),
    );
  }
}

async function expectExactNeighbours(colors: Stored[], query: CieLab): Promise<void> {
  const { body } = await user.post('/api/color/recommend', { targetLab: query }).expect(200);
  const expected = ranked(colors, query, euclideanDifference).slice(0, 5);
  expect(body.matchedFormulas.map(({ id, name }: Stored) => ({ id, name }))).toEqual(
    expected.map(({ id, name }) => ({ id, name })),
  );
  body.matchedFormulas.forEach(({ deltaE }: { deltaE: number }, index: number) =>
    expect(deltaE).toBeCloseTo(expected[index]!.distance, 9),
  );
}

describe('POST /api/color/formulas', () => {
  const targetLab = { L: 41.25, a: 52.5, b: 23.125 };

  it('stores every field and gives it back', async () => {
    const input = {
      name: '正红唇膏 01',
      targetLab,
      actualLab: { L: 41, a: 53, b: 22.5 },
      deltaE: 0.81,
      colorantComposition: { 'CI 15850': 3.2, 'CI 77491': 1.1 },
    };
    const { body } = await user.post('/api/color/formulas', input).expect(201);
    expect(body).toEqual({
      data: {
        ...input,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        formulaId: null,
        createdBy: user.id,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  });

  it.each([{}, { name: null }, { name: '' }, { name: '  ' }])(
    'names a colour that has no name: %j',
    async (name) => {
      const absent = { actualLab: null, deltaE: null, colorantComposition: null, formulaId: null };
      const { body } = await user.post('/api/color/formulas', { ...name, targetLab, ...absent }).expect(201);
      expect(body.data).toMatchObject({ name: '未命名颜色配方', targetLab, ...absent });
      const { body: bare } = await user.post('/api/color/formulas', { ...name, targetLab }).expect(201);
      expect(bare.data).toMatchObject({ name: '未命名颜色配方', ...absent });
    },
  );

  it.each([
    [[]],
    [0],
    [-1.5e-7],
    [false],
    ['文本 "quoted" \\ \n'],
    [''],
    [{}],
    [[1, [2, [3, { a: null }]], null, 'x']],
    [{ z: 1, a: 2, '1': 3, 'CI 77891': { ratio: 0.1 + 0.2 }, ключ: [true], '': {} }],
    [{ constructor: 1, prototype: { x: 1 }, toString: 'x', then: {}, id: 7, type: 'Buffer' }],
    [JSON.parse('{"__proto__": {"admin": true}, "a": {"__proto__": 1}}')],
    [JSON.parse('['.repeat(60) + '1' + ']'.repeat(60))],
  ])('gives any JSON back as it was: %j', async (colorantComposition) => {
    const { text } = await user.post('/api/color/formulas', { targetLab, colorantComposition }).expect(201);
    expect(text).toContain(`"colorantComposition":${JSON.stringify(colorantComposition)},"formulaId"`);
  });

  it('takes 64 KB of composition and not a byte more', async () => {
    const most = 'x'.repeat(64 * 1024 - 2);
    await user.post('/api/color/formulas', { targetLab, colorantComposition: most }).expect(201);
    const answer = await user.post('/api/color/formulas', { targetLab, colorantComposition: `${most}x` });
    expectError(answer, 400, 'colorantComposition: JSON 文本不能超过64KB');
  });

  it('keeps numbers exactly, and the limits are inside', async () => {
    for (const [L, a, b] of [
      [0, -10_000, 10_000],
      [100, 10_000, -10_000],
      [0.1 + 0.2, -1e-300, 123.45678901234567],
      [99.99999999999999, -0.1, 5e-324],
    ]) {
      const lab = { L, a, b };
      const input = { targetLab: lab, actualLab: lab, deltaE: 1.7976931348623157e308 };
      const { body } = await user.post('/api/color/formulas', input).expect(201);
      expect(body.data).toMatchObject(input);
    }
  });

  it.each([
    [{}, 'targetLab: 不能为空'],
    [{ targetLab: null }, 'targetLab: 不能为空'],
    [{ targetLab: [1, 2, 3] }, 'targetLab: 必须是对象'],
    [{ targetLab: { L: 100.001, a: 0, b: 0 } }, 'targetLab.L: 不能大于100'],
    [{ targetLab: { L: -0.001, a: 0, b: 0 } }, 'targetLab.L: 不能小于0'],
    [{ targetLab: { L: '50', a: 0, b: 0 } }, 'targetLab.L: 必须是数字'],
    [
      { targetLab: { L: 50, a: 10_001, b: -10_001 } },
      'targetLab.a: 不能大于10000; targetLab.b: 不能小于-10000',
    ],
    [{ targetLab: { L: 50, a: 0 } }, 'targetLab.b: 不能为空'],
    [{ targetLab, actualLab: { L: 101, a: 0, b: 0 } }, 'actualLab.L: 不能大于100'],
    [{ targetLab, actualLab: 'x' }, 'actualLab: 必须是对象'],
    [{ targetLab, deltaE: -0.1 }, 'deltaE: 不能小于0'],
    [{ targetLab, deltaE: '1' }, 'deltaE: 必须是数字'],
    [{ targetLab, name: 7 }, 'name: 必须是字符串'],
    [{ targetLab, name: 'x'.repeat(201) }, 'name: 不能超过200个字符'],
    [{ targetLab, formulaId: 'x' }, 'formulaId: 必须是 UUID'],
    [{ targetLab, formulaId: '3f0e5a52-0000-4000-8000-000000000000' }, 'formulaId: 配方不存在'],
  ])('refuses %j', async (input, error) => {
    const { body } = await user.post('/api/color/formulas', input).expect(400);
    expect(body).toEqual({ error, statusCode: 400 });
  });

  it('refuses a number that JSON has and a double has not', async () => {
    const { body } = await user
      .post('/api/color/formulas')
      .type('json')
      .send('{"targetLab":{"L":50,"a":1,"b":0},"colorantComposition":{"CI 77491":[1,1e999]}}')
      .expect(400);
    expect(body.error).toBe('colorantComposition.CI 77491.1: 必须是有限的数字');
  });

  it('the database itself refuses what is no colour', async () => {
    const insert = (values: string) =>
      database.query(`INSERT INTO color_formulas (name, l, a, b, actual_l, actual_a, actual_b, delta_e, created_by)
                      VALUES ('x', ${values}, '${user.id}')`);
    await expect(insert(`'NaN', 0, 0, NULL, NULL, NULL, NULL`)).rejects.toThrow('ck_color_formulas_lab');
    await expect(insert(`50, 'Infinity', 0, NULL, NULL, NULL, NULL`)).rejects.toThrow(
      'ck_color_formulas_lab',
    );
    await expect(insert(`50, 0, 'NaN', NULL, NULL, NULL, NULL`)).rejects.toThrow('ck_color_formulas_lab');
    await expect(insert(`50, 0, 0, 1, NULL, 2, NULL`)).rejects.toThrow('ck_color_formulas_actual_lab');
    for (const half of ['1, 2, NULL', '1, NULL, NULL', 'NULL, 2, NULL', 'NULL, NULL, 3']) {
      await expect(insert(`50, 0, 0, ${half}, NULL`)).rejects.toThrow('ck_color_formulas_actual_lab');
    }
    await expect(insert(`50, 0, 0, 1, 'NaN', 2, NULL`)).rejects.toThrow('ck_color_formulas_actual_lab');
    await expect(insert(`50, 0, 0, NULL, NULL, NULL, 'NaN'`)).rejects.toThrow('ck_color_formulas_delta_e');
    await expect(insert(`50, 0, 0, NULL, NULL, NULL, -1`)).rejects.toThrow('ck_color_formulas_delta_e');
  });

  it('links a formula until that is deleted', async () => {
    const { body: ingredient } = await user
      .post('/api/ingredients', {
        inciName: `Mica ${randomUUID()}`,
        chineseName: '云母',
        functionCategory: 'colorant',
      })
      .expect(201);
    // A colour of its own: others of this file have the same target, and only twenty of those are shown.
    const alone = { L: 3.5, a: -81.25, b: 77 };
    const { body: formula } = await user
      .post('/api/formulas', {
        name: '粉底',
        phases: [
          { name: 'A', sortOrder: 1, ingredients: [{ ingredientId: ingredient.data.id, percentage: 100 }] },
        ],
      })
      .expect(201);
    const { body } = await user
      .post('/api/color/formulas', { targetLab: alone, formulaId: formula.data.id })
      .expect(201);
    expect(body.data.formulaId).toBe(formula.data.id);
    await user.delete(`/api/formulas/${formula.data.id}`).expect(204);
    // The colour itself stays, and is found.
    const { body: found } = await user
      .get('/api/color/formulas/match?L=3.5&a=-81.25&b=77&limit=1')
      .expect(200);
    expect(found.data).toEqual([
      expect.objectContaining({ id: body.data.id, targetLab: alone, distance: 0 }),
    ]);
    const again = { targetLab: alone, formulaId: formula.data.id };
    const { body: refused } = await user.post('/api/color/formulas', again).expect(400);
    expect(refused).toEqual({ error: 'formulaId: 配方不存在', statusCode: 400 });
    const [row] = await database.query('SELECT formula_id FROM color_formulas WHERE id = $1', [body.data.id]);
    expect(row).toEqual({ formula_id: null });
  });

  it('needs a token', async () => {
    await service.http.post('/api/color/formulas').send({ targetLab }).expect(401);
    await service.http.post('/api/color/recommend').send({ targetLab }).expect(401);
    await service.http.get('/api/color/formulas/match?L=1&a=2&b=3').expect(401);
    await service.http.get('/api/color/library').expect(401);
  });
});

describe('searching stored colours', () => {
  beforeEach(forget);
  afterAll(forget);

  it('an empty table has no nearest colour', async () => {
    expect((await match({ L: 50, a: 0, b: 0 }).expect(200)).body).toEqual({ data: [] });
    const { body } = await user
      .post('/api/color/recommend', { targetLab: { L: 50, a: 0, b: 0 } })
      .expect(200);
    expect(body.matchedFormulas).toEqual([]);
  });

  it('a match has exactly the promised fields, and 5 are given unless asked otherwise', async () => {
    const colors = await store(Array.from({ length: 8 }, (_, i) => ({ L: 40 + i, a: 3, b: -4 })));
    const { body } = await match({ L: 40, a: 3, b: -4 }).expect(200);
    expect(body.data).toHaveLength(5);
    expect(body.data[0]).toEqual({
      id: colors[0]!.id,
      name: '色0',
      targetLab: { L: 40, a: 3, b: -4 },
      deltaE: null,
      colorantComposition: null,
      distance: 0,
    });
  });

  it('a recommendation has exactly the promised fields, without an envelope', async () => {
    await store([{ L: 40, a: 3, b: -4 }]);
    const { body } = await user
      .post('/api/color/recommend', { targetLab: { L: 43, a: 3, b: 0 } })
      .expect(200);
    expect(Object.keys(body).sort()).toEqual(['matchedFormulas', 'recommendations']);
    expect(body.matchedFormulas).toEqual([{ id: expect.any(String), name: '色0', deltaE: 5 }]);
    expect(body.recommendations.length).toBeGreaterThan(0);
    for (const recommendation of body.recommendations) {
      expect(recommendation).toEqual({
        colorants: expect.any(Array),
        predictedDeltaE: expect.any(Number),
        confidence: expect.any(Number),
      });
      for (const colorant of recommendation.colorants) {
        expect(colorant).toEqual({ name: expect.any(String), ratio: expect.any(Number) });
      }
    }
  });

  const SETS: Record<string, (random: () => number, index: number) => CieLab> = {
    'blue, where the formula turns': (random) => ({
      L: 20 + random() * 40,
      a: random() * 50,
      b: -80 + random() * 40,
    }),
    neutral: (random) => ({ L: random() * 100, a: random() * 4 - 2, b: random() * 4 - 2 }),
    'a lattice full of ties': (_, i) => ({
      L: 40 + (i % 12),
      a: ((i / 12) % 12) | 0,
      b: (((i / 144) % 12) | 0) - 6,
    }),
    anywhere: (random) => ({ L: random() * 100, a: random() * 200 - 100, b: random() * 200 - 100 }),
  };

  it.each(Object.keys(SETS))('both searches are exact: %s', async (name) => {
    const random = randomNumbers(1);
    const colors = await store(Array.from({ length: 1728 }, (_, index) => SETS[name]!(random, index)));
    for (let i = 0; i < 6; i++) {
      const around = colors[Math.floor(random() * colors.length)]!.lab;
      const query =
        name === 'a lattice full of ties'
          ? { L: around.L + 0.5, a: around.a, b: around.b + (i % 2) / 2 }
          : { L: Math.min(100, around.L + random()), a: around.a - random() * 3, b: around.b + random() * 3 };
      await expectExactMatches(colors, query);
      await expectExactNeighbours(colors, query);
    }
    await expectExactMatches(colors, { L: 50, a: 9000, b: -9000 });
    await expectExactNeighbours(colors, { L: 50, a: 9000, b: -9000 });
  });

  it('10 000 equal colours are cut by id', async () => {
    const same = { L: 52.3, a: 18.25, b: -7.75 };
    const colors = await store(Array.from({ length: 10_000 }, () => same));
    colors.push(
      ...(await store([
        { L: 52.3, a: 18.35, b: -6.1 },
        { L: 53, a: 18.25, b: -7.75 },
      ])),
    );
    for (const query of [same, { L: 52, a: 17, b: -6 }, { L: 90, a: -40, b: 40 }]) {
      await expectExactMatches(colors, query);
      await expectExactNeighbours(colors, query);
    }
  });

  it('thousands of colours about as near as each other', async () => {
    const random = randomNumbers(5);
    const around = () => ({ L: 50 + random(), a: 10 + random(), b: 10 + random() });
    const colors = await store(Array.from({ length: 20_500 }, around));
    // So far away that all of them are about as near.
    await expectExactMatches(colors, { L: 50, a: 100, b: 10 });
    await expectExactMatches(colors, { L: 50.5, a: 10.5, b: 10.5 });
    await expectExactNeighbours(colors, { L: 50, a: 100, b: 10 });
  });

  it('a search begins with the colours on both sides of the query in the order of their cells', async () => {
    const colors = await store(Array.from({ length: 50 }, (_, n) => ({ L: 25 + n, a: 0, b: 0 })));
    const query = { L: 50, a: 0, b: 0 };
    const found = await new CieLabIndex(service.app.get(DatabaseService), 'color_formulas').around(
      cellNumber(query),
      4,
    );
    const cells = colors.map(({ lab }) => cellNumber(lab)).sort((x, y) => x - y);
    const at = cells.indexOf(cellNumber(query));
    expect(found.map(cellNumber).sort((x, y) => x - y)).toEqual(cells.slice(at - 4, at + 4));
  });

  it('a range is complete with as many colours as are asked for, and not with one more', async () => {
    const lab = { L: 50, a: 0, b: 0 };
    await store([lab, lab, lab]);
    const index = new CieLabIndex(service.app.get(DatabaseService), 'color_formulas');
    const range = { first: cellNumber(lab), last: cellNumber(lab), cells: [] };
    expect(await index.inRanges([range], 3)).toMatchObject([{ colors: [lab, lab, lab], complete: true }]);
    expect(await index.inRanges([range], 2)).toMatchObject([{ complete: false }]);
  });

  it('of several ranges each has its own colours, and an empty one is complete', async () => {
    const [low, high] = [
      { L: 20, a: 0, b: 0 },
      { L: 80, a: 0, b: 0 },
    ];
    await store([high, low]);
    const index = new CieLabIndex(service.app.get(DatabaseService), 'color_formulas');
    const ranges = [low, { L: 50, a: 0, b: 0 }, high].map((lab) => {
      const cell = cellNumber(lab);
      return { first: cell, last: cell, cells: [] };
    });
    expect(await index.inRanges(ranges, 1)).toMatchObject([
      { colors: [low], complete: true },
      { colors: [], complete: true },
      { colors: [high], complete: true },
    ]);
  });

  it('the database numbers the cells of colours as the search does', async () => {
    const random = randomNumbers(6);
    const anywhere = (size: number) => (random() - 0.5) * 2 * size;
    const colors = Array.from({ length: 3000 }, (_, i) => {
      const size = i % 2 ? 130 : 10_000;
      return { L: random() * 100, a: anywhere(size), b: anywhere(size) };
    });
    colors.push({ L: 0, a: -10_000, b: 10_000 }, { L: 100, a: 10_000, b: -10_000 });
    colors.push({ L: 0, a: 0, b: 0 }, { L: 0.25, a: -0.25, b: -1e-300 }, { L: 99.75, a: 127.75, b: -128 });
    const rows = await database.query(
      `SELECT lab_cell(l, a, b) AS cell FROM ROWS FROM (unnest($1::float8[]), unnest($2::float8[]), unnest($3::float8[]))
         WITH ORDINALITY AS color (l, a, b, n) ORDER BY n`,
      [colors.map(({ L }) => L), colors.map(({ a }) => a), colors.map(({ b }) => b)],
    );
    expect(rows.map(({ cell }: { cell: number }) => Number(cell))).toEqual(colors.map(cellNumber));
  });

  it.each([
    ['', 'L: 不能为空; a: 不能为空; b: 不能为空'],
    ['L=50&a=1', 'b: 不能为空'],
    ['L=101&a=1&b=1', 'L: 不能大于100'],
    ['L=-1&a=1&b=1', 'L: 不能小于0'],
    ['L=x&a=1&b=1', 'L: 必须是数字'],
    ['L=50&a=NaN&b=Infinity', 'a: 必须是数字; b: 必须是数字'],
    ['L=50&a=1e5&b=-1e5', 'a: 不能大于10000; b: 不能小于-10000'],
    ['L=50&L=51&a=1&b=1', 'L: 必须是数字'],
    ['L=50&a=1&b=1&limit=21', 'limit: 不能大于20'],
    ['L=50&a=1&b=1&limit=0', 'limit: 不能小于1'],
    ['L=50&a=1&b=1&limit=2.5', 'limit: 必须是整数'],
  ])('match refuses ?%s', async (query, error) => {
    const { body } = await user.get(`/api/color/formulas/match?${query}`).expect(400);
    expect(body).toEqual({ error, statusCode: 400 });
  });

  it.each([
    [{}, 'targetLab: 不能为空'],
    [{ targetLab: { L: 100.1, a: 0, b: 0 } }, 'targetLab.L: 不能大于100'],
    [{ targetLab: { L: 50, a: null, b: 0 } }, 'targetLab.a: 不能为空'],
  ])('recommend refuses %j', async (input, error) => {
    const { body } = await user.post('/api/color/recommend', input).expect(400);
    expect(body).toEqual({ error, statusCode: 400 });
  });

  /** Until every page is known to be visible to all: a snapshot, autovacuum's own too, puts that off. */
  const vacuum = async () => {
    for (;;) {
      await database.query('VACUUM ANALYZE color_formulas');
      const [{ done }] = await database.query<[{ done: boolean }]>(
        `SELECT relallvisible >= relpages AS done FROM pg_class WHERE oid = 'color_formulas'::regclass`,
      );
      if (done) return;
    }
  };

  // Their products are too small for a double, which PostgreSQL refuses.
  it.each([1e-100, 1e-162, 1e-200, 1e-300, 5e-324, -1e-170])(
    'finds colours by coordinates like %d',
    async (tiny) => {
      const random = randomNumbers(32);
      const few = [
        { L: 50, a: tiny, b: 0 },
        { L: 50, a: 0, b: tiny },
        { L: 50, a: tiny, b: tiny },
        { L: 50, a: 0, b: 0 },
        { L: tiny > 0 ? tiny : 0, a: 0, b: 0 },
      ];
      const colors = await store([
        ...few,
        ...Array.from({ length: 200 }, () => ({ L: 100 * random(), a: Math.round(8 * random()) - 4, b: 0 })),
      ]);
      for (const query of [
        ...few,
        { L: 50, a: 1, b: tiny },
        { L: 50, a: tiny, b: 30 },
        { L: 0, a: 0, b: 0 },
      ]) {
        await expectExactMatches(colors, query);
        await user.post('/api/color/recommend', { targetLab: query }).expect(200);
      }
    },
  );

  it('a longer answer begins as a shorter one, and shows compositions and differences as they were stored', async () => {
    const random = randomNumbers(31);
    const query = { L: 52, a: 19, b: -29 };
    const stored = await store(Array.from({ length: 2000 }, (_, index) => SETS['anywhere']!(random, index)));
    const composition = { 'CI 77491': [1, '"'], note: 'x'.repeat(60_000) };
    await database.query(
      'UPDATE color_formulas SET delta_e = 1e-7, colorant_composition = $2 WHERE id = $1',
      [ranked(stored, query, ciede2000)[1]!.id, JSON.stringify(composition)],
    );
    const { text: short } = await match(query, 3).expect(200);
    const { text: long } = await match(query, 20).expect(200);
    const rows = (text: string) => (JSON.parse(text) as { data: object[] }).data;
    expect(rows(long)).toHaveLength(20);
    expect(rows(short)[1]).toMatchObject({ deltaE: 1e-7, colorantComposition: composition });
    expect(long.startsWith(short.slice(0, short.lastIndexOf('}]')))).toBe(true);
  });

  it('both searches use the index, and read nothing else once the table is vacuumed, however planned', async () => {
    const random = randomNumbers(9);
    const tied = { L: 52, a: 19, b: -29 };
    await store(Array.from({ length: 4000 }, (_, index) => SETS['anywhere']!(random, index)));
    await store(Array.from({ length: 100 }, () => tied));
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 12; i++) await match(SETS['anywhere']!(random, i), 5).expect(200);
      await user.post('/api/color/recommend', { targetLab: tied }).expect(200);
    });
    const searches = new Map(
      statements.filter(({ text }) => text.includes('lab_cell(')).map((one) => [one.name, one]),
    );
    expect([...searches.keys()].sort()).toEqual([
      'color_formulas.around.16',
      'color_formulas.ranges.64',
      'color_formulas.smallest-cell',
    ]);
    for (const state of ['new', 'analysed', 'vacuumed']) {
      if (state === 'analysed') await database.query('ANALYZE color_formulas');
      if (state === 'vacuumed') await vacuum();
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        for (const { text, values } of searches.values()) {
          const plan = await planOf(text, values, mode);
          expect(plan).toContain('ix_color_formulas_lab');
          expect(plan).not.toContain('Seq Scan');
          if (state !== 'vacuumed') continue;
          expect(plan).toMatch(/Index Only Scan (Backward )?using ix_color_formulas_lab/);
          // By their ids, for what is shown.
          expect(plan.replaceAll('Index Scan using pk_color_formulas', '')).not.toMatch(/Index Scan|Bitmap/);
        }
      }
    }
  });
});

/** What the application sent to the database meanwhile. */
async function statementsOf(work: () => Promise<void>) {
  const seen: { name?: string; text: string; values: readonly unknown[] }[] = [];
  const access = service.app.get(DatabaseService);
  const real = access.query.bind(access);
  const spy = jest.spyOn(access, 'query').mockImplementation((statement, values = []) => {
    seen.push({ ...statement, values });
    return real(statement, values);
  });
  await work();
  spy.mockRestore();
  return seen;
}

/** The plan of a prepared statement, as text. */
async function planOf(text: string, values: readonly unknown[], mode: string): Promise<string> {
  const literal = (value: unknown) => (Array.isArray(value) ? `'{${value.join(',')}}'` : String(value));
  const runner = database.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await runner.query(`PREPARE examined AS ${text}`);
    const rows = await runner.query(`EXPLAIN EXECUTE examined (${values.map(literal).join(', ')})`);
    await runner.query('DEALLOCATE examined');
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

describe('GET /api/color/library', () => {
  const library = (query: Record<string, string | number>) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return user.get(`/api/color/library?${parameters.toString()}`);
  };

  const rouge = {
    id: expect.any(String),
    name: '胭脂',
    pinyin: 'yān zhī',
    hex: '#952e3a',
    lab: { L: 35.3017, a: 43.7761, b: 17.1795 },
    source: 'chinese-colors',
  };

  it.each(['胭脂', '臙脂', 'yān zhī', 'YANZHI', 'yan zhi', ' 胭脂 '])('finds 胭脂 as %s', async (search) => {
    const { body } = await library({ search }).expect(200);
    expect(body.data[0]).toEqual(rouge);
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: body.data.length, totalPages: 1 });
  });

  it.each([
    ['墨緑', '墨绿'],
    ['墨綠', '墨绿'],
    ['淺粉', '浅粉'],
    ['中條蝦綠', '中条虾绿'],
    ['墨绿', '墨绿'],
    ['molü', '墨绿'],
    ['mo lv', '墨绿'],
    ['molu', '墨绿'],
    ['creme brulee', 'Crème Brûlée'],
    ['Crème brûlée', 'Crème Brûlée'],
    ['Crème brûlée'.normalize('NFD'), 'Crème Brûlée'],
    ['24 KARAT', '24 Karat'],
    // Before 明黄, which begins with it and is shorter.
    ['ming', 'Ming'],
  ])('finds %s', async (search, name) => {
    const { body } = await library({ search }).expect(200);
    expect(body.data[0].name).toBe(name);
  });

  it('the exact name comes before names that begin with it, and those before the others', async () => {
    const { body } = await library({ search: 'peach', limit: 100 }).expect(200);
    const names: string[] = body.data.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names[0]).toBe('peach');
    expect(names.every((name) => name.includes('peach'))).toBe(true);
    const begins = names.map((name) => name.startsWith('peach'));
    expect(begins).toEqual([...begins].sort((x, y) => Number(y) - Number(x)));
    // The shorter is the nearer, among those that begin with it and among the others; then the alphabet
    // counts.
    const fit = (name: string) => [name === 'peach' ? 0 : name.startsWith('peach') ? 1 : 2, name.length];
    const keys = body.data.map(({ name }: { name: string }) => [...fit(name.toLowerCase()), name]);
    const order = (x: (string | number)[], y: (string | number)[]): number => {
      const at = x.findIndex((part, index) => part !== y[index]);
      return at < 0 ? 0 : x[at]! < y[at]! ? -1 : 1;
    };
    expect(keys).toEqual([...keys].sort(order));
  });

  it('holds both lists, each page once', async () => {
    const { body: first } = await library({ limit: 100 }).expect(200);
    expect(first.pagination).toEqual({ page: 1, limit: 100, total: 5229, totalPages: 53 });
    const seen = new Set<string>();
    const listed: { source: string; name: string }[] = [];
    for (let page = 1; page <= 53; page++) {
      const { body } = await library({ page, limit: 100 }).expect(200);
      for (const { id } of body.data) seen.add(id);
      listed.push(...body.data);
    }
    expect(seen.size).toBe(5229);
    const keys = listed.map(({ source, name }) => `${source}\n${name}`);
    expect(keys).toEqual([...keys].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y))));
    expect((await library({ page: 54, limit: 100 }).expect(200)).body.data).toEqual([]);
  });

  it('gives the nearest to a colour first, exactly, over all pages', async () => {
    const rows: { id: string; l: number; a: number; b: number }[] = await database.query(
      'SELECT id, l, a, b FROM reference_colors',
    );
    const colors = rows.map(({ id, l, a, b }) => ({ id, name: '', lab: { L: l, a, b } }));
    for (const query of [
      rouge.lab,
      { L: 30, a: 20, b: -60 },
      { L: 95, a: 0, b: 0 },
      { L: 0, a: 0, b: 0 },
      { L: 50, a: 800, b: 0 },
    ]) {
      const expected = ranked(colors, query, ciede2000);
      for (const [page, limit] of [
        [1, 20],
        [2, 7],
        [9, 100],
        [53, 100],
      ] as const) {
        const { body } = await library({ ...query, page, limit }).expect(200);
        expect(body.pagination.total).toBe(5229);
        expect(body.data.map(({ id, deltaE }: { id: string; deltaE: number }) => [id, deltaE])).toEqual(
          expected.slice((page - 1) * limit, page * limit).map(({ id, distance }) => [id, distance]),
        );
      }
    }
    const { body } = await library({ ...rouge.lab, limit: 1 }).expect(200);
    expect(body.data).toEqual([{ ...rouge, deltaE: 0 }]);
    // Beyond the last page nothing is ranked: the user and the count.
    for (const [page, limit] of [
      [54, 100],
      [64, 83],
    ] as const) {
      const beyond = () => library({ ...rouge.lab, page, limit }).expect(200, /"data":\[\]/);
      expect(await countStatements(beyond)).toBe(2);
    }
  });

  it.each(['红', 'PEACH', ' Crème ', 'yān'])(
    'a name and a colour together: exactly the nearest of those found for %s, over all pages',
    async (search) => {
      const { body: named } = await library({ search, limit: 100 }).expect(200);
      const { total } = named.pagination;
      expect(named.data).toHaveLength(total);
      const query = { L: 40, a: 50, b: 20 };
      const expected = ranked(named.data as Stored[], query, ciede2000);
      for (const [page, limit] of [
        [1, 100],
        [2, 3],
      ] as const) {
        const { body } = await library({ search, ...query, page, limit }).expect(200);
        expect(body.pagination.total).toBe(total);
        expect(body.data.map(({ id, deltaE }: { id: string; deltaE: number }) => [id, deltaE])).toEqual(
          expected.slice((page - 1) * limit, page * limit).map(({ id, distance }) => [id, distance]),
        );
      }
      const { body: beyond } = await library({ search, ...query, page: 99 }).expect(200);
      expect(beyond).toMatchObject({ data: [], pagination: { total } });
    },
  );

  it('pages through what a name finds, each once, and past the end there is nothing', async () => {
    const found = async (page: number, limit: number) => {
      const { body } = await library({ search: 'peach', page, limit }).expect(200);
      return body.data.map(({ id }: { id: string }) => id) as string[];
    };
    const all = await found(1, 100);
    expect([...(await found(1, 7)), ...(await found(2, 7)), ...(await found(3, 7))]).toEqual(
      all.slice(0, 21),
    );
    expect(await found(2, 100)).toEqual([]);
  });

  it.each(['no such colour', '%', '_', '\\'])('finds nothing for %s', async (search) => {
    const { body } = await library({ search }).expect(200);
    expect(body).toEqual({ data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } });
  });

  it.each([
    [{ L: 50, a: 1 }, 'b: L、a、b 必须同时提供'],
    [{ b: 1 }, 'L: L、a、b 必须同时提供; a: L、a、b 必须同时提供'],
    [{ L: 100.5, a: 1, b: 1 }, 'L: 不能大于100'],
    [{ limit: 101 }, 'limit: 不能大于100'],
    [{ page: 0 }, 'page: 不能小于1'],
    [{ search: 'x'.repeat(201) }, 'search: 不能超过200个字符'],
  ])('refuses %j', async (query, error) => {
    const { body } = await library(query as Record<string, string | number>).expect(400);
    expect(body).toEqual({ error, statusCode: 400 });
  });
});
