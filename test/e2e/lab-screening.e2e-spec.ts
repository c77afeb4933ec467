import { Injectable, Module } from '@nestjs/common';
import { readSheet } from 'read-excel-file/node';
import { AccessPolicy, AppModule, Clock, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import type { LimitFile } from '../../src/regulations/editions/limit-file';
import type { Limit } from '../../src/regulations/editions/limit.entity';
import { RegulationsService } from '../../src/regulations/editions/regulations.service';
import { UNEXAMINED_TOPICS } from '../../src/regulations/screening/screening.dto';
import { expectError, expectKeys, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, type Ingredient, type Phase } from '../support/factories';
import { limit } from '../support/screenings';
import { countStatements } from '../support/statements';

/** Formulas are seen by their creators, ingredients of the supplier `only NAME` by the user of that name. */
@Injectable()
class OwnRecordsPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

  override readable(): ReadableRecords {
    return {
      types: ['uuid', 'text'],
      values: (user) => [user.id, user.username],
      conditions: {
        formula: (row, [id]) => `${row}.created_by = ${id}`,
        ingredient: (row, [, name]) =>
          `(${row}.supplier IS NULL OR ${row}.supplier NOT LIKE 'only %' OR ${row}.supplier = 'only ' || ${name})`,
      },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: OwnRecordsPolicy }] })
class PolicyModule {}

let service: TestApp;
let user: Account;
let other: Account;
let water: Ingredient;
let blend: Ingredient;
let cream: { id: string };

const url = (id: string, query: string) => `/api/ext/formulas/${id}/screening?${query}`;
const screen = async (query: string, id = cream.id, account = user) =>
  (await account.get(url(id, query)).expect(200)).body.data;
const line = ({ id }: Ingredient, percentage: number) => ({ ingredientId: id, percentage });
const phase = (name: string, sortOrder: number, ...ingredients: Phase['ingredients']): Phase => ({
  name,
  sortOrder,
  ingredients,
});

/** Loads a table whose rows are these. */
async function load(name: string, rows: readonly Partial<Limit>[], refused: LimitFile['refused'] = []) {
  const limits = rows.map((row, index) => {
    const { id: _id, editionId: _editionId, ...draft } = limit({ region: 'house', ...row });
    return { ...draft, line: index + 1 };
  });
  return service.app.get(RegulationsService).importEdition(name, { limits, refused }, { isPartial: true });
}

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  [user, other] = [await service.register(), await service.register()];
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
  blend = await createIngredient(user, { inciName: 'Phenoxyethanol (and) Ethylhexylglycerin' });
  await user
    .put(`/api/ext/ingredients/${blend.id}/composition`, {
      substances: [
        { inciName: 'Phenoxyethanol', casNumber: '122-99-6', range: { min: 88, max: 92 } },
        { inciName: 'Ethylhexylglycerin', range: { min: 8, max: 12 } },
      ],
    })
    .expect(200);
  cream = await createFormula(
    user,
    [phase('水相', 1, line(water, 98.8)), phase('后添加', 2, line(blend, 1.2))],
    {
      name: '日霜 <b>"x"</b>',
    },
  );
});
afterAll(() => service.close());

describe('GET /api/ext/formulas/:id/screening', () => {
  it('without a table says that no data is loaded', async () => {
    const data = await screen('region=eu&productType=face-leave-on&lang=en');
    expect(data).toMatchObject({
      edition: null,
      summary: { result: 'no-data', wording: 'no data loaded', counts: { 'no-data': 1 } },
      results: [{ result: 'no-data', rows: [], substances: [], region: 'eu', edition: null }],
      upcoming: [],
    });
    expect(data.closing).toContain('Not legal advice and not a safety assessment.');
    for (const format of ['html', 'csv', 'xlsx']) {
      await user.get(url(cream.id, `region=eu&format=${format}`)).expect(200);
    }
  });

  describe('with a table', () => {
    beforeAll(async () => {
      await load('House 1', [{ entry: '1', inciNames: ['PHENOXYETHANOL'], limitPercent: '99' }]);
      await load('House 2', [
        {
          annex: 'V',
          entry: '29',
          tier: 'a',
          kind: 'permitted-only',
          inciNames: ['PHENOXYETHANOL'],
          casNumbers: ['122-99-6'],
          limitPercent: '1',
          limitText: '1 %',
          productTypes: ['face-leave-on'],
          scope: 'face',
          conditions: 'not in <sprays>',
          source: '=SUM(A1)',
        },
        { annex: 'V', entry: '30', inciNames: ['Aqua'], limitPercent: '50', validFrom: '2027-01-01' },
        { annex: 'II', entry: '1', inciNames: ['Aqua'], kind: 'prohibited', region: 'other' },
      ]);
    });

    it('names the rows that were refused, and cannot judge a substance that one may name', async () => {
      const shared = { column: null, value: null, reason: 'no-name-and-no-cas' as const, casNumbers: [] };
      const rows = [{ inciNames: ['X'], limitPercent: '1', region: 'refusing' }];
      await load('Refusing', rows, [
        { ...shared, row: 7, region: 'elsewhere', name: 'Phenoxyethanol' },
        { ...shared, row: 8, region: 'refusing', name: 'Quinine and salts' },
        { ...shared, row: 9, region: 'refusing', name: 'Phenoxyethanol and its esters' },
      ]);
      const query = 'region=refusing&productType=soap&lang=en';
      const data = await screen(query);
      const message = 'there is neither an INCI name nor a CAS number';
      const [reason, name] = ['no-name-and-no-cas', 'Phenoxyethanol and its esters'];
      expect(data.notExamined).toMatchObject({
        refusedRows: 3,
        refusedEntries: [
          { row: 9, name, reason, message, substances: ['Phenoxyethanol'] },
          { row: 8, name: 'Quinine and salts', reason, message, substances: [] },
        ],
      });
      expect(data.summary.result).toBe('cannot-be-judged');
      expect(data.results[0]).toMatchObject({
        missing: ['refused-row'],
        substances: [{ inciName: 'Phenoxyethanol' }],
      });
      const page = await user.get(url(cream.id, `${query}&format=html`)).expect(200);
      expect(page.text).toContain('Quinine and salts');
    });

    it('is the comparison, with everything that a reader needs to check it', async () => {
      const data = await screen('region=HOUSE&productType=face-leave-on&on=2026-12-01&lang=en');
      expectKeys(data, [
        'formulaId',
        'formulaName',
        'versionNumber',
        'region',
        'productType',
        'fromProfile',
        'mixture',
        'purpose',
        'on',
        'edition',
        'total',
        'summary',
        'resultCount',
        'upcomingCount',
        'results',
        'upcoming',
        'notExamined',
        'closing',
      ]);
      expect(data).toMatchObject({
        region: 'house',
        productType: 'face-leave-on',
        purpose: null,
        on: '2026-12-01',
        edition: { name: 'House 2', annexes: ['V'] },
        total: 100,
        resultCount: 3,
        summary: { result: 'above-limit', counts: { 'above-limit': 1, 'no-entry-matched': 2 } },
        upcoming: [{ entry: '30', validFrom: '2027-01-01', substances: ['Aqua'] }],
        notExamined: { unmatched: 2, unknownPercentage: '0', refusedRows: 0, parts: [] },
      });
      const day = data.edition.importedAt.slice(0, 10);
      expect(data.results[0]).toEqual({
        result: 'above-limit',
        missing: [],
        wording: 'above the limit of entry V/29 (a) for product type face, leave-on',
        notes: ['maximum-of-range'],
        region: 'house',
        edition: 'House 2',
        editionDate: day,
        productType: 'face-leave-on',
        amount: '1.104',
        rows: [
          {
            annex: 'V',
            entry: '29',
            tier: 'a',
            kind: 'permitted-only',
            substance: 'PHENOXYETHANOL',
            scope: 'face',
            limitPercent: '1',
            limitText: '1 %',
            basis: null,
            sumGroup: null,
            purpose: null,
            conditions: 'not in <sprays>',
            validFrom: null,
            validUntil: null,
            source: '=SUM(A1)',
          },
        ],
        substances: [
          {
            inciName: 'Phenoxyethanol',
            isNano: false,
            casNumbers: ['122-99-6'],
            matchedBy: 'inci-name',
            matchedValue: 'Phenoxyethanol',
            share: '1.104',
            factor: '1',
            lines: [
              {
                ingredientId: blend.id,
                ingredient: { id: blend.id, inciName: blend.inciName, chineseName: blend.chineseName },
                phase: '后添加',
                percentage: 1.2,
                share: '1.104',
                role: null,
              },
            ],
          },
        ],
      });
      expect(data.closing).toBe(
        `Comparison with the loaded table of ${day}. Not legal advice and not a safety assessment. The authentic legal texts and a qualified person decide.`,
      );
    });

    it('with the table, the day and the product type that are asked for', async () => {
      expect((await screen('region=house&edition=House%201')).summary.result).toBe('not-above-limit');
      expect(await screen('region=house&productType=face-leave-on&on=2027-01-01')).toMatchObject({
        upcoming: [],
        summary: { counts: { 'above-limit': 2 } },
      });
      expect((await screen('region=house&productType=lip')).summary).toMatchObject({
        result: 'listed-for-other-uses',
        wording: '仅列于其他用途或产品类型',
      });
      expect((await screen('region=house')).results[0]).toMatchObject({
        result: 'cannot-be-judged',
        missing: ['product-type'],
        productType: null,
      });
      expect((await screen('region=other')).summary.result).toBe('prohibited');
      expect((await screen('region=nowhere')).summary.result).toBe('no-data');
      // The table holds nothing of the region.
      expect((await screen('region=nowhere&edition=House%202')).summary.result).toBe('no-data');
      expectError(await user.get(url(cream.id, 'region=house&edition=House%209')), 404, '限值表版本不存在');
    });

    it('is of today unless another day is asked for', async () => {
      const now = jest
        .spyOn(service.app.get(Clock), 'now')
        .mockReturnValue(Date.parse('2031-02-03T23:59:00Z'));
      try {
        expect(await screen('region=house')).toMatchObject({ on: '2031-02-03', upcoming: [] });
      } finally {
        now.mockRestore();
      }
    });

    it('as a page, CSV and workbook', async () => {
      const query = 'region=house&productType=face-leave-on&on=2026-12-01';
      const page = await user.get(url(cream.id, `${query}&format=html`)).expect(200);
      expect(page.text).toContain('日霜 &lt;b&gt;&quot;x&quot;&lt;/b&gt;');
      expect(page.text).not.toContain('<b>');
      expect(page.text).toContain('高于条目 V/29 (a) 对产品类型“面部驻留类”的限值');
      expect(page.text).toContain('由有资质的人员判定。');
      const csv = await user.get(url(cream.id, `${query}&format=csv&lang=en`)).expect(200);
      const [header, first] = csv.text.split('\n');
      expect(header).toBe(
        '\ufeffEntry,Result,Substance,Amount used (%),Limit as written,Basis,Scope as written,Conditions as written,Comes from,Remarks,Source,Region,Table,Loaded on,Product type',
      );
      expect(first).toMatch(
        /^V\/29 \(a\),"above the limit of entry V\/29 \(a\) for product type face, leave-on",Phenoxyethanol,1\.104,1 %,the substance itself,face,not in <sprays>,/,
      );
      expect(first).toContain(`'=SUM(A1)`);
      // It ends with what was not examined, as the page does.
      const noted = csv.text.split('\n').filter((row) => /^"?Not examined: /.test(row));
      expect(noted).toHaveLength(UNEXAMINED_TOPICS.length);
      expect(csv.text.trimEnd()).toMatch(/\n"?[^\n]+qualified person[^\n]*$/);
      const xlsx = await user
        .get(url(cream.id, `${query}&format=xlsx`))
        .responseType('blob')
        .expect(200);
      const [, row] = await readSheet(xlsx.body as Buffer);
      expect(row![3]).toBe(1.104);
    });

    it('takes as many statements for a thousand lines as for two', async () => {
      const ingredients = await Promise.all(
        Array.from({ length: 40 }, (_, index) => createIngredient(user, { inciName: `Substance ${index}` })),
      );
      const phases = Array.from({ length: 200 }, (_, at) =>
        phase(
          `Phase ${at}`,
          at,
          ...Array.from({ length: 5 }, (_line, index) => line(ingredients[(at * 5 + index) % 40]!, 0.1)),
        ),
      );
      const { id } = await createFormula(user, phases);
      const statements = (of: string) => countStatements(() => user.get(url(of, 'region=house')).expect(200));
      expect(await statements(id)).toBe(await statements(cream.id));
      expect(await statements(id)).toBeLessThanOrEqual(5);
      expect((await screen('region=house', id)).summary).toMatchObject({
        result: 'no-finding',
        wording: '载入的数据中没有发现；40 个成分没有匹配的条目',
      });
    });

    it('shows nothing of the composition of a raw material that the reader may not see', async () => {
      const theirs = await createFormula(other, [phase('A', 1, line(water, 100))]);
      const shown = await createIngredient(other, { inciName: 'Shown' });
      await other
        .put(`/api/ext/ingredients/${shown.id}/composition`, {
          substances: [{ inciName: 'Phenoxyethanol', percentage: 100 }],
        })
        .expect(200);
      await other
        .put(`/api/formulas/${theirs.id}/composition`, {
          phases: [phase('A', 1, line(water, 95), line(shown, 5))],
        })
        .expect(200);
      await user.put(`/api/ingredients/${shown.id}`, { supplier: `only ${user.username}` }).expect(200);
      const hidden = await screen('region=house&productType=face-leave-on', theirs.id, other);
      expect(JSON.stringify(hidden)).not.toMatch(/phenoxyethanol/i);
      expect(hidden.results[0]).toMatchObject({
        result: 'cannot-be-judged',
        missing: ['composition'],
        amount: '5',
        substances: [{ inciName: 'Shown' }],
      });
      expect(hidden.notExamined).toMatchObject({
        unknownPercentage: '5',
        parts: [{ inciName: 'Shown', reason: 'hidden', share: '5' }],
      });
    });

    it('finds a raw material without a composition by its CAS numbers in the catalogue, with zeros in front or not', async () => {
      const preservative = await createIngredient(user, { inciName: 'Preservative P1' });
      const names = { casNumbers: ['60-12-8', '000122-99-6'], ecNumbers: [], synonyms: [], tradeNames: [] };
      await user.put(`/api/ext/ingredients/${preservative.id}/names`, names).expect(200);
      const { id } = await createFormula(user, [phase('A', 1, line(water, 95), line(preservative, 5))]);
      const { results } = await screen('region=house&productType=face-leave-on&on=2026-12-01&lang=en', id);
      expect(results).toContainEqual(
        expect.objectContaining({
          result: 'above-limit',
          wording: 'above the limit of entry V/29 (a) for product type face, leave-on',
        }),
      );
    });

    it('names the amount used where its basis is unknown', async () => {
      await load('Basis', [{ region: 'basis', inciNames: ['Aqua'], limitPercent: '99', basis: 'ice' }]);
      const result = (await screen('region=basis&productType=face-leave-on')).results.find(
        ({ missing }: { missing: string[] }) => missing.includes('basis'),
      );
      expect(result).toMatchObject({
        result: 'cannot-be-judged',
        amount: '98.8',
        notes: ['not-converted'],
      });
      const csv = await user.get(url(cream.id, 'region=basis&productType=face-leave-on&lang=en&format=csv'));
      expect(csv.text).toMatch(/\nIII\/1,cannot be judged: basis missing,Aqua,98\.8,/);
      expect(csv.text).toContain('The amount is that in the formula, not on the basis of the limit');
    });

    it('prevents nothing from being stored', async () => {
      const phases = [phase('A', 1, line(water, 50), line(blend, 50))];
      await user.put(`/api/formulas/${cream.id}/composition`, { phases }).expect(200);
      expect((await screen('region=house&productType=face-leave-on')).results[0].amount).toBe('46');
      expect((await screen('region=house&productType=face-leave-on&version=1')).results[0].amount).toBe(
        '1.104',
      );
    });

    it('refuses more comparisons than it makes at once', async () => {
      const edition = (await screen('region=house')).edition;
      const limits = Array.from({ length: 100_001 }, () => limit({ inciNames: ['Aqua'], limitPercent: '1' }));
      const matching = jest
        .spyOn(service.app.get(RegulationsService), 'matching')
        .mockResolvedValue({ edition, limits, upcoming: [] });
      try {
        const answer = await user.get(url(cream.id, 'region=many'));
        expectError(answer, 409, '配方与限值表的比对超过100000次,无法处理');
      } finally {
        matching.mockRestore();
      }
    });
  });

  it('of a formula that is not there, or hidden, is 404', async () => {
    for (const id of [NOWHERE, 'x']) expectError(await user.get(url(id, 'region=eu')), 404, '配方不存在');
    expectError(await other.get(url(cream.id, 'region=eu')), 404, '配方不存在');
    expectError(await user.get(url(cream.id, 'region=eu&version=9')), 404, '配方版本不存在');
  });

  it('needs a region, and takes no other values', async () => {
    for (const [query, error] of [
      ['', 'region: 不能为空'],
      ['region=eu&on=2026-02-30', 'on: 必须是日期,如2026-12-31'],
      ['region=eu&on=tomorrow', 'on: 必须是日期,如2026-12-31'],
      ['region=eu&on=26-1-1', 'on: 必须是日期,如2026-12-31'],
    ] as const) {
      expectError(await user.get(url(cream.id, query)), 400, error);
    }
    const { body } = await user.get(url(cream.id, 'region=eu&productType=cream')).expect(400);
    expect(body.error).toMatch(/^productType: 必须是以下值之一: face-leave-on, /);
  });
});
