import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expectError, expectKeys, NOWHERE, TIMESTAMP } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  type Ingredient,
  type Phase,
  phasesOf,
  wholeOf,
} from '../support/factories';
import { countStatements } from '../support/statements';

const NOT_FOUND = '配方不存在';
const NO_VERSION = '配方版本不存在';
const NO_EARLIER = '该配方没有更早的版本可供对比';

let service: TestApp;
let user: Account;
let water: Ingredient;
let glycerin: Ingredient;
let wax: Ingredient;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水', unitPrice: 0 });
  glycerin = await createIngredient(user, {
    inciName: 'Glycerin',
    chineseName: '甘油',
    unit: '25 kg',
    unitPrice: 250,
  });
  wax = await createIngredient(user, { inciName: 'Cera Alba', chineseName: '蜂蜡', unit: 'L', unitPrice: 5 });
});
afterAll(() => service.close());

const phase = (name: string, sortOrder: number, ...lines: [Ingredient, number, string?][]): Phase => ({
  name,
  sortOrder,
  ingredients: lines.map(([{ id }, percentage, processNotes]) => ({
    ingredientId: id,
    percentage,
    processNotes,
  })),
});

/** A formula with these versions. */
async function formulaOf(name: string, first: Phase[], ...rest: Phase[][]): Promise<string> {
  const { id } = await createFormula(user, first, { name });
  for (const phases of rest) await user.put(`/api/formulas/${id}/composition`, { phases }).expect(200);
  return id as string;
}

const compare = (id: string, query = '') => user.get(`/api/ext/formulas/${id}/compare${query}`);
const compared = async (id: string, query = '') => (await compare(id, query).expect(200)).body.data;
const numbers = async (id: string, query = '') => {
  const { from, to } = await compared(id, query);
  return [from.versionNumber, to.versionNumber];
};

const cream = () => [
  phase('水相', 1, [water, 80, '加热至80℃'], [glycerin, 5]),
  phase('油相', 2, [wax, 10], [glycerin, 5.1]),
];

describe('GET /api/ext/formulas/:id/compare', () => {
  it('lists what is different, and nothing else', async () => {
    const id = await formulaOf('面霜', cream(), [
      phase('油相', 1, [wax, 10], [glycerin, 5.1]),
      phase('A', 2, [glycerin, 7.5], [water, 77.2, '加热至75℃']),
      phase('后加', 3, [wax, 0.3]),
    ]);
    const data = await compared(id);
    expectKeys(data, ['from', 'to', 'phases', 'lines', 'totals', 'cost']);
    const createdAt = expect.stringMatching(TIMESTAMP);
    const ingredient = ({ id: ingredientId, inciName, chineseName }: Ingredient) => ({
      id: ingredientId,
      inciName,
      chineseName,
    });
    expect(data).toEqual({
      from: { formulaId: id, formulaName: '面霜', versionNumber: 1, createdAt },
      to: { formulaId: id, formulaName: '面霜', versionNumber: 2, createdAt },
      phases: [
        { change: 'renamed', name: { from: '水相', to: 'A' }, position: { from: 1, to: 2 } },
        { change: 'added', name: { from: null, to: '后加' }, position: { from: null, to: 3 } },
      ],
      lines: [
        {
          change: 'changed',
          ingredient: ingredient(glycerin),
          phase: { from: '水相', to: 'A' },
          phasePosition: { from: 1, to: 2 },
          position: { from: 2, to: 1 },
          percentage: { from: 5, to: 7.5 },
          processNotes: { from: null, to: null },
        },
        {
          change: 'changed',
          ingredient: ingredient(water),
          phase: { from: '水相', to: 'A' },
          phasePosition: { from: 1, to: 2 },
          position: { from: 1, to: 2 },
          percentage: { from: 80, to: 77.2 },
          processNotes: { from: '加热至80℃', to: '加热至75℃' },
        },
        {
          change: 'added',
          ingredient: ingredient(wax),
          phase: { from: null, to: '后加' },
          phasePosition: { from: null, to: 3 },
          position: { from: null, to: 1 },
          percentage: { from: null, to: 0.3 },
          processNotes: { from: null, to: null },
        },
      ],
      totals: { from: 100.1, to: 100.1, difference: 0 },
      cost: {
        currency: null,
        exchangeRates: [],
        from: { costPerKg: null, knownCostPerKg: 1.01, pricedPercentage: 90.1 },
        to: { costPerKg: null, knownCostPerKg: 1.26, pricedPercentage: 89.8 },
        difference: null,
      },
    });
  });

  it('has the digits of the cost route', async () => {
    const sold = await createIngredient(user, { unit: '3 kg', unitPrice: 10 });
    const half = (percentage: number) => [phase('A', 1, [sold, percentage], [water, 100 - percentage])];
    const id = await formulaOf('每三千克', half(10), half(30.01));
    const ofVersion = async (version: number) => {
      const path = `/api/ext/formulas/${id}/cost?version=${version}`;
      const { costPerKg, knownCostPerKg, pricedPercentage } = (await user.get(path).expect(200)).body.data;
      return { costPerKg, knownCostPerKg, pricedPercentage };
    };
    const { cost } = await compared(id);
    expect(cost).toMatchObject({ from: await ofVersion(1), to: await ofVersion(2), difference: 0.667 });
    expect(cost.from.costPerKg).toBe(0.3333333333);
    const page = (await compare(id, '?format=html&lang=en').expect(200)).text;
    expect(page).toMatch(
      /Cost per kg<\/td>\s*<td[^>]*>0.3333333333<\/td>\s*<td[^>]*>1.0003333333<\/td>\s*<td[^>]*>0.667</,
    );
  });

  it('knows the difference in cost where every line has a usable price', async () => {
    const id = await formulaOf(
      '乳液',
      [phase('相', 1, [water, 90], [glycerin, 10])],
      [phase('相', 1, [water, 89.9], [glycerin, 10.1])],
    );
    expect((await compared(id)).cost).toMatchObject({
      from: { costPerKg: 1, knownCostPerKg: 1, pricedPercentage: 100 },
      to: { costPerKg: 1.01, knownCostPerKg: 1.01, pricedPercentage: 100 },
      difference: 0.01,
    });
  });

  it('compares the latest version with the one before, or any two', async () => {
    const id = await formulaOf('三版', cream(), wholeOf(water.id), cream());
    expect(await numbers(id)).toEqual([2, 3]);
    expect(await numbers(id, '?to=2')).toEqual([1, 2]);
    expect(await numbers(id, '?from=1')).toEqual([1, 3]);
    expect(await numbers(id, '?from=3&to=1')).toEqual([3, 1]);
    expect(await numbers(id, '?from=&to=')).toEqual([2, 3]);
    expect(await numbers(id, `?toFormula=${id.toUpperCase()}`)).toEqual([2, 3]);
    expect(await compared(id, '?from=1&to=3')).toMatchObject({ phases: [], lines: [] });
    expect(await compared(id, '?from=2&to=2')).toMatchObject({ phases: [], lines: [] });
  });

  it('says so where there is no version before', async () => {
    const id = await formulaOf('一版', cream());
    expectError(await compare(id), 404, NO_EARLIER);
    expectError(await compare(id, `?toFormula=${id}`), 404, NO_EARLIER);
    const other = await formulaOf('两版', cream(), cream());
    expectError(await compare(other, '?to=1'), 404, NO_EARLIER);
    expectError(await compare(other, '?to=3'), 404, NO_VERSION);
    const refused = await compare(id);
    expect(refused.headers['x-error-code']).toBe('formula.no-earlier-version');
  });

  it('compares two formulas', async () => {
    const id = await formulaOf('甲', cream(), wholeOf(water.id));
    const other = await formulaOf('乙', wholeOf(glycerin.id), cream());
    expect(await compared(id, `?toFormula=${other}`)).toMatchObject({
      from: { formulaId: id, formulaName: '甲', versionNumber: 2 },
      to: { formulaId: other, formulaName: '乙', versionNumber: 2 },
    });
    expect(await compared(id, `?from=1&toFormula=${other}`)).toMatchObject({ phases: [], lines: [] });
    expect(await numbers(id, `?from=1&to=1&toFormula=${other}`)).toEqual([1, 1]);
  });

  it('knows no other formulas and versions', async () => {
    const id = await formulaOf('一版', cream());
    expectError(await compare(id, '?from=1&to=2'), 404, NO_VERSION);
    expectError(await compare(id, '?from=2'), 404, NO_VERSION);
    expectError(await compare(id, `?from=1&toFormula=${NOWHERE}`), 404, NOT_FOUND);
    expectError(await compare(NOWHERE), 404, NOT_FOUND);
    expectError(await compare('x', `?toFormula=${id}`), 404, NOT_FOUND);
  });

  it.each([
    ['from=0', 'from: 不能小于1'],
    ['from=1.5', 'from: 必须是整数'],
    ['to=x', 'to: 必须是整数'],
    ['to=99999999999', 'to: 不能大于2147483647'],
    ['toFormula=x', 'toFormula: 必须是 UUID'],
    ['format=pdf', 'format: 必须是以下值之一: json, html, csv, xlsx'],
    ['lang=fr', 'lang: 必须是以下值之一: zh, en'],
  ])('refuses %s', async (query, error) => {
    expectError(await compare(await formulaOf('面霜', cream()), `?${query}`), 400, error);
  });

  it('takes as many statements for a thousand lines as for one', async () => {
    const largest = Array.from({ length: 200 }, (_, at) =>
      phase(`相${at}`, at, ...[1, 2, 3, 4, 5].map((): [Ingredient, number] => [at % 2 ? water : wax, 0.1])),
    );
    const small = await formulaOf('小', wholeOf(water.id), wholeOf(wax.id));
    const large = await formulaOf(
      '大',
      largest,
      [...largest].reverse().map((one, at) => ({ ...one, sortOrder: at })),
    );
    for (const [query, count] of [
      ['', 4],
      ['?from=1', 3],
      ['?from=1&format=html', 3],
    ] as const) {
      expect(await countStatements(() => compare(small, query).expect(200))).toBe(count);
      expect(await countStatements(() => compare(large, query).expect(200))).toBe(count);
    }
    expect((await compared(large)).phases).toHaveLength(199);
  });

  describe('as a page and as files', () => {
    const HOSTILE = `<script>alert("1")</script>'&`;
    let id: string;

    beforeAll(async () => {
      const formula = await createIngredient(user, { inciName: '=cmd|x', chineseName: HOSTILE });
      id = await formulaOf(HOSTILE, cream(), [
        phase(HOSTILE, 1, [water, 79.9, HOSTILE], [glycerin, 5]),
        phase('油相', 2, [formula, 0.0000001], [wax, 10], [glycerin, 5.1]),
      ]);
    });

    it('is a page in Chinese or English, in which texts are only texts', async () => {
      const { text, headers } = await compare(id, '?format=html').expect(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).toContain('<html lang="zh-CN">');
      expect(text).toContain('配方版本对比');
      expect(text).not.toContain('<script');
      expect(text).toContain('&lt;script&gt;alert(');
      expect(text).toMatch(/<tr class="changed">\s*<td[^>]*>修改<\/td>\s*<td[^>]*>Aqua<\/td>/);
      expect(text).toMatch(/<tr class="added">/);
      expect(text).toContain('0.0000001');
      const english = (await compare(id, '?lang=en').set('Accept', 'text/html').expect(200)).text;
      expect(english).toContain('<html lang="en">');
      expect(english).toContain('Comparison of versions');
      expect(english).not.toMatch(/成分变化|修改|差值/);
    });

    it('is a CSV file: the lines up to the first empty line, then phases, totals, cost and notes', async () => {
      const { text, headers } = await compare(id, '?format=csv&lang=en').expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="[\w.-]+\.csv"; filename\*=UTF-8''/,
      );
      const place = (phaseName: string) => `${phaseName} · 1`;
      const [lines, ...sections] = text.split('\n\n');
      expect(parse(lines!, { bom: true })).toEqual([
        [
          'Change',
          'Ingredient (INCI)',
          'Chinese name',
          'Place before',
          'Place after',
          '% before',
          '% after',
          'Δ',
          'Notes before',
          'Notes after',
        ],
        ['changed', 'Aqua', '水', place('水相'), place(HOSTILE), '80', '79.9', '-0.1', '加热至80℃', HOSTILE],
        ['added', "'=cmd|x", HOSTILE, '', place('油相'), '', '0.0000001', '', '', ''],
      ]);
      expect(sections).toEqual([
        expect.stringMatching(/^Phases\nChange,Name before,Name after,.*\nrenamed,水相,/),
        expect.stringMatching(/^Totals and cost\nItem,From,To,Δ\nTotal %,100.1,[\s\S]+\nCost per kg,/),
        expect.stringMatching(/^Comparison of versions,\nFrom,[\s\S]+Some lines have no usable price/),
      ]);
      // A program that takes all of it for one table notices.
      expect(() => parse(text, { bom: true })).toThrow();
    });

    it('is a workbook whose numbers are numbers', async () => {
      const { body } = await compare(id, '?format=xlsx')
        .buffer()
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks)));
        })
        .expect(200);
      const files = unzipSync(new Uint8Array(body as Buffer));
      const sheet = Buffer.from(files['xl/worksheets/sheet1.xml']!).toString();
      expect(sheet).toMatch(/<c r="F2"[^>]*><v>80<\/v>/);
      expect(sheet).toMatch(/<c r="H2"[^>]*><v>-0.1<\/v>/);
      expect(sheet).not.toContain('<f>');
    });

    it('says so where there is no difference, and where prices are missing', async () => {
      const { text } = await compare(id, '?from=1&to=1&format=html&lang=en').expect(200);
      expect(text).toContain('Both versions have the same composition.');
      expect(text).toContain('Some lines have no usable price');
    });
  });

  it('is the same to whoever asks twice', async () => {
    const id = await formulaOf('面霜', phasesOf(water.id, [50, 25, 25]), phasesOf(water.id, [25, 50], [25]));
    expect(await compared(id)).toEqual(await compared(id));
  });
});
