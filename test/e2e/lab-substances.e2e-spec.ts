import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import Big from 'big.js';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import { CompositionsService } from '../../src/formulas/composition/compositions.service';
import { MAY_BE_BLEND } from '../../src/formulas/substances/substances.repository';
import { isBlendName } from '../../src/ingredients/raw-materials/substance-names';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, type Ingredient, type Phase, wholeOf } from '../support/factories';
import hardNames from '../support/hard-names.json';
import { samples } from '../support/random-numbers';
import { recordStatements } from '../support/statements';

/** Hides what has `secret` in its name from everybody but admins. */
@Injectable()
class SecretPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;
  override readable(): ReadableRecords {
    return {
      types: ['boolean'],
      values: (user) => Promise.resolve(user.role === 'admin' ? 'everything' : [false]),
      conditions: {
        formula: (row, [all]) => `(${all} OR ${row}.name NOT LIKE '%secret%')`,
        ingredient: (row, [all]) => `(${all} OR ${row}.supplier IS DISTINCT FROM 'secret')`,
      },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: SecretPolicy }] })
class SecretModule {}

let service: TestApp;
let user: Account;
let admin: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [SecretModule] })] } });
  [user, admin] = [await service.register(), await service.register()];
  database = service.app.get(DataSource);
  await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
});
afterAll(() => service.close());

const compose = (ingredient: { id: string }, ...substances: object[]) =>
  admin.put(`/api/ext/ingredients/${ingredient.id}/composition`, { substances }).expect(200);

const phasesOfLines = (...lines: [Ingredient, number][]): Phase[] => [
  {
    name: '相',
    sortOrder: 1,
    ingredients: lines.map(([{ id }, percentage]) => ({ ingredientId: id, percentage })),
  },
];

interface Found {
  id: string;
  name: string;
  versionNumber: number;
  share: { min: string; middle: string; max: string };
  lines: {
    ingredient: { id: string };
    percentage: number;
    share: { min: string; middle: string; max: string };
    knownFrom: string;
    roles: string[];
    isNano: boolean;
  }[];
}

const find = async (key: string, query = '', account = user) =>
  (await account.get(`/api/ext/substances/${encodeURIComponent(key)}/formulas?${query}`).expect(200))
    .body as {
    data: Found[];
    pagination: { total: number; totalPages: number };
    substance: Record<string, unknown>;
    unknown: { formulas: number };
  };
const sharesOf = ({ data }: { data: Found[] }) => data.map(({ name, share: { max } }) => `${name} ${max}`);
const list = async (query: string, account = user) =>
  (await account.get(`/api/ext/substances?${query}`).expect(200)).body as {
    data: { key: string; [field: string]: unknown }[];
    pagination: { total: number };
  };
const keys = async (query: string, account = user) => (await list(query, account)).data.map(({ key }) => key);
const allKeys = (search: string, account = user) =>
  keys(`limit=100&search=${encodeURIComponent(search)}`, account);

describe('Substances and the formulas that contain them', () => {
  let water: Ingredient;
  let phenoxyethanol: Ingredient;
  let blend: Ingredient;
  let range: Ingredient;
  let unknown: Ingredient;
  let secret: Ingredient;
  let serum: { id: string };

  beforeAll(async () => {
    water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
    phenoxyethanol = await createIngredient(user, { inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇' });
    await user
      .put(`/api/ext/ingredients/${phenoxyethanol.id}/names`, {
        casNumbers: ['122-99-6'],
        ecNumbers: ['204-589-7'],
        synonyms: ['Ethylene glycol monophenyl ether'],
        tradeNames: ['Rose 100%'],
      })
      .expect(200);
    blend = await createIngredient(user, { inciName: 'Phenoxyethanol (and) Ethylhexylglycerin' });
    await compose(
      blend,
      { inciName: 'PHENOXYETHANOL*', casNumber: '122-99-6', percentage: 90, role: 'preservative' },
      {
        inciName: 'Ethylhexylglycerin',
        chineseName: '乙基己基甘油',
        casNumber: '70445-33-9',
        percentage: 10,
      },
    );
    range = await createIngredient(user, { inciName: 'Preservative Solution' });
    // Water leaves between 25 and 40 percent, so the range is narrower than given.
    await compose(
      range,
      { inciName: 'Phenoxyethanol', range: { min: 10, max: 90 }, role: 'preservative' },
      { inciName: 'Water', range: { min: 60, max: 75 }, role: 'solvent' },
    );
    unknown = await createIngredient(user, { inciName: 'Mystery (and) Other' });
    secret = await createIngredient(user, { inciName: 'Secret Raw Material', supplier: 'secret' });
    await compose(
      secret,
      { inciName: 'Phenoxyethanol', percentage: 50 },
      { inciName: 'Unobtainium', percentage: 50 },
    );
    serum = await createFormula(
      user,
      phasesOfLines([water, 98.3], [phenoxyethanol, 0.5], [blend, 0.7], [range, 0.5]),
      {
        name: 'Serum',
      },
    );
    await createFormula(user, phasesOfLines([water, 99.5], [range, 0.5]), { name: 'Gel' });
    await createFormula(user, phasesOfLines([water, 99.9], [blend, 0.1]), { name: 'Toner' });
    await createFormula(user, phasesOfLines([water, 50], [unknown, 50]), { name: 'Mystery' });
    await createFormula(admin, phasesOfLines([water, 90], [secret, 10]), { name: 'Hidden ingredient' });
    await createFormula(admin, phasesOfLines([water, 90], [blend, 10]), { name: 'secret formula' });
  });

  it('sums a substance however it came in, with ranges that the rest of the composition allows', async () => {
    const { data, substance, pagination } = await find('phenoxyethanol');
    // Serum: 0.5 + 0.7 × 90 % = 1.13, and 0.5 × 25 to 40 % = 0.125 to 0.2.
    expect(data[0]).toMatchObject({
      id: serum.id,
      name: 'Serum',
      versionNumber: 1,
      share: { min: '1.255', middle: '1.2925', max: '1.33' },
    });
    expect(data[0]!.lines).toMatchObject([
      {
        ingredient: { id: phenoxyethanol.id },
        percentage: 0.5,
        share: { min: '0.5', max: '0.5' },
        knownFrom: 'own-name',
        roles: [],
      },
      { ingredient: { id: blend.id }, share: { min: '0.63', max: '0.63' }, knownFrom: 'composition' },
      {
        ingredient: { id: range.id },
        share: { min: '0.125', middle: '0.1625', max: '0.2' },
        roles: ['preservative'],
        isNano: false,
      },
    ]);
    expect(sharesOf({ data })).toEqual(['Serum 1.33', 'Gel 0.2', 'Toner 0.09']);
    expect(pagination.total).toBe(3);
    expect(substance).toEqual({
      key: 'phenoxyethanol',
      inciName: 'Phenoxyethanol',
      chineseName: '苯氧乙醇',
      casNumbers: ['122-99-6'],
      ecNumbers: ['204-589-7'],
      isNano: false,
      rawMaterials: 3,
    });
  });

  it('compares the least share with the highest possible one, inclusive', async () => {
    expect(sharesOf(await find('phenoxyethanol', 'minShare=0.2'))).toEqual(['Serum 1.33', 'Gel 0.2']);
    expect(sharesOf(await find('phenoxyethanol', 'minShare=0.2000001'))).toEqual(['Serum 1.33']);
    expect(sharesOf(await find('phenoxyethanol', 'minShare=0.5'))).toEqual(['Serum 1.33']);
    expectError(
      await user.get('/api/ext/substances/phenoxyethanol/formulas?minShare=101'),
      400,
      'minShare: 不能大于100',
    );
  });

  it('finds and sums in one statement', async () => {
    const statements = await recordStatements(() => find('phenoxyethanol', 'minShare=0.5'));
    expect(statements.filter(({ text }) => text.includes('sum(line.percentage'))).toHaveLength(1);
  });

  it('pages', async () => {
    const { data, pagination } = await find('phenoxyethanol', 'limit=2&page=2');
    expect(sharesOf({ data })).toEqual(['Toner 0.09']);
    expect(pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 });
    expect((await find('phenoxyethanol', 'limit=2&page=3')).data).toEqual([]);
  });

  it('says how many formulas have parts that are not known', async () => {
    expect((await find('phenoxyethanol')).unknown).toEqual({ formulas: 2 });
    expect((await find('phenoxyethanol', '', admin)).unknown).toEqual({ formulas: 1 });
    const part = await createIngredient(user, { inciName: 'Complex' });
    await compose(
      part,
      { inciName: 'One (and) Two', percentage: 60 },
      { inciName: 'Phenoxyethanol', percentage: 40 },
    );
    const { id } = await createFormula(user, wholeOf(part.id), { name: 'Complex' });
    expect((await find('phenoxyethanol')).unknown).toEqual({ formulas: 3 });
    expect(await allKeys('one')).not.toContain('one (and) two');
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(water.id) }).expect(200);
    expect((await find('phenoxyethanol')).unknown).toEqual({ formulas: 2 });
    expect((await find('phenoxyethanol', 'versions=all')).unknown).toEqual({ formulas: 3 });
    expect(sharesOf(await find('phenoxyethanol', 'versions=all'))).toContain('Complex 40');
    await user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('hidden formulas and ingredients decide nothing', async () => {
    expect(sharesOf(await find('phenoxyethanol', '', admin))).toEqual([
      'secret formula 9',
      'Hidden ingredient 5',
      'Serum 1.33',
      'Gel 0.2',
      'Toner 0.09',
    ]);
    expect((await find('phenoxyethanol', '', admin)).substance).toMatchObject({ rawMaterials: 5 });
    expect(await allKeys('unobtainium', admin)).toEqual(['unobtainium']);
    expect(await allKeys('unobtainium')).toEqual([]);
    expect((await list('search=unobtainium')).pagination.total).toBe(0);
    expectError(await user.get('/api/ext/substances/unobtainium/formulas'), 404, '没有含该物质的原料');
    expect((await find('unobtainium', '', admin)).pagination.total).toBe(1);
    const filtered = async (account: Account) =>
      (await account.get('/api/ext/formulas?substance=unobtainium').expect(200)).body.pagination.total;
    expect([await filtered(user), await filtered(admin)]).toEqual([0, 1]);
    expectError(await user.get(`/api/ext/ingredients/${secret.id}/where-used`), 404, '成分不存在');
  });

  it.each(['Phenoxyethanol', ' PHENOXYETHANOL* ', 'ｐｈｅｎｏｘｙｅｔｈａｎｏｌ'])(
    'takes the name %s for the key',
    async (name) => {
      expect((await find(name)).pagination.total).toBe(3);
    },
  );

  it.each(['Water', 'aqua', 'EAU', '水', 'Purified Water'])(
    '%s is aqua, through blends too',
    async (name) => {
      const { data, substance } = await find(name);
      expect(substance).toMatchObject({ key: 'aqua', rawMaterials: 2 });
      // 98.3, and 0.5 × 60 to 75 %.
      expect(data.find(({ id }) => id === serum.id)!.share).toEqual({
        min: '98.6',
        middle: '98.6375',
        max: '98.675',
      });
      expect((await allKeys(name))[0]).toBe('aqua');
    },
  );

  it('finds substances by INCI, CAS, EC and Chinese name, and by further names', async () => {
    expect(await allKeys('phenoxy')).toEqual(['phenoxyethanol']);
    for (const search of [
      '122-99-6',
      '000122-99-6',
      '204-589-7',
      '苯氧',
      '苯氧乙醇',
      'monophenyl ether',
      'ＰＨＥＮＯＸＹ',
    ]) {
      expect(await allKeys(search)).toEqual(['phenoxyethanol']);
    }
    expect(await allKeys('乙基己基')).toEqual(['ethylhexylglycerin']);
    expect(await allKeys('70445-33-9')).toEqual(['ethylhexylglycerin']);
    expect(await allKeys('ethylhexyl')).toEqual(['ethylhexylglycerin']);
    expect(await allKeys('rose 100%')).toEqual(['phenoxyethanol']);
  });

  it.each(['%', '_', '\\', "'", '(', '[nano'])('a search for %s finds only what has it', async (search) => {
    expect(await allKeys(search)).toEqual([]);
  });

  it('lists every substance once, and no blend', async () => {
    const all = await keys('limit=100');
    expect(all).toEqual([...new Set(all)]);
    expect(all).toContain('ethylhexylglycerin');
    expect(all.filter((key) => key.includes('(and)'))).toEqual([]);
    expect(await keys('limit=1&page=2')).toEqual([all[1]]);
    expect((await list('limit=1')).pagination.total).toBe(all.length);
    expect(await keys('search=%20')).toEqual(all.slice(0, 20));
  });

  it.each(['phenoxyethonal', '%', '%25', '\\', "'", '*', '\0', 'mystery (and) other'])(
    'the key %j is that of no substance',
    async (key) => {
      const answer = await user.get(`/api/ext/substances/${encodeURIComponent(key)}/formulas`);
      expectError(answer, 404, '没有含该物质的原料');
    },
  );

  it('a long text is that of none, too', async () => {
    for (const length of [200, 1000, 5000]) {
      expect((await user.get(`/api/ext/substances/${'x'.repeat(length)}/formulas`)).status).toBe(404);
      expect((await user.get(`/api/ext/substances/${'%20'.repeat(length)}x/formulas`)).status).toBe(404);
    }
    expect(await allKeys('x'.repeat(200))).toEqual([]);
  });

  it('refuses a path that is no text', async () => {
    expect((await user.get('/api/ext/substances/%E4%BD/formulas')).status).toBe(400);
  });

  it('a key may have a slash', async () => {
    const ester = await createIngredient(user, { inciName: 'Caprylic/Capric Triglyceride' });
    const { id } = await createFormula(user, wholeOf(ester.id), { name: 'Ester' });
    expect(sharesOf(await find('caprylic/capric triglyceride'))).toEqual(['Ester 100']);
    await user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('has a record for each version, and the latest only unless asked', async () => {
    const { id } = await createFormula(user, phasesOfLines([water, 99], [blend, 1]), { name: 'Cream' });
    await user
      .put(`/api/formulas/${id}/composition`, { phases: phasesOfLines([water, 98], [blend, 2]) })
      .expect(200);
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(unknown.id) }).expect(200);
    const ofCream = async (query: string) =>
      (await find('phenoxyethanol', query)).data
        .filter((formula) => formula.id === id)
        .map(({ versionNumber, share }) => [versionNumber, share.max]);
    expect(await ofCream('')).toEqual([]);
    expect(await ofCream('versions=all')).toEqual([
      [2, '1.8'],
      [1, '0.9'],
    ]);
    await user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('tells nanomaterials, which have the key of the substance', async () => {
    const nano = await createIngredient(user, { inciName: 'Zinc Oxide (nano)' });
    const plain = await createIngredient(user, { inciName: 'Zinc Oxide' });
    const paste = await createIngredient(user, { inciName: 'Zinc Paste' });
    await compose(
      paste,
      { inciName: 'Zinc Oxide', percentage: 60, role: 'nano' },
      { inciName: 'Aqua', percentage: 40 },
    );
    const { id } = await createFormula(user, phasesOfLines([nano, 10], [plain, 80], [paste, 10]), {
      name: 'Zinc',
    });
    const { data, substance } = await find('Zinc Oxide');
    expect(substance).toMatchObject({
      key: 'zinc oxide',
      inciName: 'Zinc Oxide',
      isNano: true,
      rawMaterials: 3,
    });
    expect(data[0]!.share.max).toBe('96');
    expect(data[0]!.lines.map(({ isNano }) => isNano)).toEqual([true, false, true]);
    await user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('leaves out a raw material that cannot contain the substance', async () => {
    const full = await createIngredient(user, { inciName: 'Full' });
    await compose(
      full,
      { inciName: 'Maybe', range: { min: 0, max: 5 } },
      { inciName: 'Filler', percentage: 100 },
    );
    await createFormula(user, wholeOf(full.id), { name: 'Full' });
    expect((await find('maybe')).data).toEqual([]);
    const { body } = await user.get('/api/ext/formulas?substance=maybe').expect(200);
    expect(body.data).toEqual([]);
  });

  it('follows trash, restoring, replacement, merging and new compositions', async () => {
    const names = async () => sharesOf(await find('follower'));
    const one = await createIngredient(user, { inciName: 'Follower', chineseName: '甲' });
    const other = await createIngredient(user, { inciName: 'Follower', chineseName: '乙', supplier: 'B' });
    const { id } = await createFormula(user, phasesOfLines([one, 50], [other, 20], [water, 30]), {
      name: 'F',
    });
    expect(await names()).toEqual(['F 70']);
    await user.delete(`/api/formulas/${id}`).expect(204);
    expect(await names()).toEqual([]);
    await user.post(`/api/ext/trash/${id}/restore`).expect(200);
    expect(await names()).toEqual(['F 70']);
    await admin.post(`/api/ext/ingredients/${other.id}/merge`, { into: one.id }).expect(200);
    expect((await find('follower')).substance).toMatchObject({ rawMaterials: 1 });
    expect(await names()).toEqual(['F 70']);
    await compose(one, { inciName: 'Follower', percentage: 10 }, { inciName: 'Aqua', percentage: 90 });
    expect(await names()).toEqual(['F 7']);
    await user
      .post(`/api/ext/ingredients/${one.id}/replace`, {
        by: blend.id,
        formulas: { ids: [id] },
        dryRun: false,
      })
      .expect(200);
    expect(await names()).toEqual([]);
    expect(sharesOf(await find('follower', 'versions=all'))[0]).toMatch(/^F 7$/);
    await user.put(`/api/ingredients/${one.id}`, { inciName: 'Renamed' }).expect(200);
    await compose(one);
    expectError(await user.get('/api/ext/substances/follower/formulas'), 404, '没有含该物质的原料');
    expect(sharesOf(await find('renamed', 'versions=all'))[0]).toBe('F 70');
    await user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('filters the list of formulas', async () => {
    const names = async (query: string) =>
      (await user.get(`/api/ext/formulas?sortBy=name&sortOrder=asc&${query}`).expect(200)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('substance=phenoxyethanol')).toEqual(['Gel', 'Serum', 'Toner']);
    expect(await names('substance=PHENOXYETHANOL&search=ser')).toEqual(['Serum']);
    expect(await names(`substance=phenoxyethanol&ingredientId=${range.id}`)).toEqual(['Gel', 'Serum']);
    expect(await names('substance=nothing')).toEqual([]);
    expect(await names(`substance=${'x'.repeat(1000)}`)).toEqual([]);
  });

  it('where-used answers what is direct and what comes through other raw materials', async () => {
    const { body } = await user.get(`/api/ext/ingredients/${phenoxyethanol.id}/where-used`).expect(200);
    const rows = body.data.map(({ name, directly, through, lines }: Record<string, unknown[]>) => [
      name,
      directly,
      through,
      lines!.length,
    ]);
    expect(rows).toEqual([
      ['Serum', '0.5', { min: '0.755', middle: '0.7925', max: '0.83' }, 3],
      ['Gel', null, { min: '0.125', middle: '0.1625', max: '0.2' }, 1],
      ['Toner', null, { min: '0.09', middle: '0.09', max: '0.09' }, 1],
    ]);
    expect(body.unknown).toEqual({ formulas: 2 });
    // A blend is no substance: its own lines only.
    const ofBlend = (await user.get(`/api/ext/ingredients/${blend.id}/where-used`).expect(200)).body;
    expect(
      ofBlend.data.map(({ name, directly, through }: Record<string, unknown>) => [name, directly, through]),
    ).toEqual([
      ['Serum', '0.7', null],
      ['Toner', '0.1', null],
    ]);
    // The interface's list of uses is as before.
    const usage = (await user.get(`/api/ext/ingredients/${phenoxyethanol.id}/formulas`).expect(200)).body;
    expect(usage.data.map(({ name }: { name: string }) => name)).toEqual(['Serum']);
    expectError(await user.get(`/api/ext/ingredients/${randomUUID()}/where-used`), 404, '成分不存在');
  });
});

describe('Names of blends', () => {
  it('are among those that the database looks at, whatever joins the names', async () => {
    const part = fc.constantFrom(
      ...[
        'Aqua',
        'Glycerin',
        'PEG-8',
        'CI 77491',
        '77492',
        'FD&C Red No. 40',
        '1,2-Hexanediol',
        '水',
        '甘油',
        '5',
        ')',
        '(',
      ],
      ...[
        ' and ',
        ' und ',
        ' ET ',
        '(and)',
        ' ( AND ) ',
        '（和）',
        '&',
        ' & ',
        '＆',
        ' + ',
        '＋',
        ' / ',
        '/ ',
        ' /',
        ';',
        '、',
      ],
      ...[
        ', ',
        ',',
        '和',
        ' ',
        '\t',
        '-',
        ' blend',
        'mixture',
        ' Mix',
        'premix',
        'compound',
        '复配',
        '混合物',
        'ａｎｄ',
        '；',
      ],
    );
    const names = fc
      .sample(fc.array(part, { maxLength: 6 }), samples(20_000))
      .map((parts) => parts.join(''))
      .concat(hardNames);
    const blends = names.filter((name) => isBlendName(name));
    expect(blends.length).toBeGreaterThan(1000);
    const missed = await database.query('SELECT name FROM unnest($1::text[]) AS name WHERE name !~* $2', [
      blends,
      MAY_BE_BLEND,
    ]);
    expect(missed).toEqual([]);
  });
});

describe('Shares through blends', () => {
  const NAMES = ['Alfa', 'Bravo', 'Charlie', 'Delta', 'Echo (nano)', 'Echo', 'Foxtrot (and) Golf', 'ALFA*'];
  const cents = (most: number) => fc.integer({ min: 1, max: most });
  const composition = fc
    .uniqueArray(fc.constantFrom(...NAMES), {
      minLength: 1,
      maxLength: 5,
      selector: (name) => name.replace('*', '').toLowerCase(),
    })
    .chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.array(cents(9999), { minLength: names.length, maxLength: names.length }),
        fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }),
      ),
    );

  it('are those of the expansion of each formula', async () => {
    const compositions = service.app.get(CompositionsService, { strict: false });
    let at = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(composition, { minLength: 1, maxLength: 4 }), async (given) => {
        at += 1;
        const materials: Ingredient[] = [];
        for (const [names, weights, isRange] of given) {
          const material = await createIngredient(user, { inciName: `Material ${at}` });
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          const shares = weights.map((weight) => Math.floor((weight / total) * 10_000) / 100);
          shares[0] = Number(
            new Big(100).minus(shares.slice(1).reduce((sum, share) => sum.plus(share), new Big(0))).toFixed(),
          );
          await compose(
            material,
            ...names.map((inciName, index) => {
              const share = shares[index]!;
              const range = { min: Number(new Big(share).div(2).toFixed(3)), max: Math.min(100, share + 7) };
              return isRange[index] || share === 0 ? { inciName, range } : { inciName, percentage: share };
            }),
          );
          materials.push(material);
        }
        const each = Math.floor(10_000 / materials.length) / 100;
        const lines = materials.map((material, index): [Ingredient, number] => [
          material,
          index === 0
            ? Number(new Big(100).minus(new Big(each).times(materials.length - 1)).toFixed())
            : each,
        ]);
        const { id } = await createFormula(user, phasesOfLines(...lines), { name: `Random ${at}` });
        const reader = { id: user.id, username: user.username, role: user.role } as never;
        const [read] = await compositions.read(reader, [{ formulaId: id }]);
        const { substances } = await compositions.expand(reader, read);
        for (const key of new Set(substances.map((substance) => substance.key))) {
          const same = substances.filter((substance) => substance.key === key);
          const sum = (bound: 'min' | 'middle' | 'max') =>
            same.reduce((all, { share }) => all.plus(share[bound]), new Big(0)).toFixed();
          const { data } = await find(key, 'limit=100');
          const found = data.find((formula) => formula.id === id);
          if (sum('max') === '0') expect(found).toBeUndefined();
          else {
            expect(found?.share).toEqual({ min: sum('min'), middle: sum('middle'), max: sum('max') });
            for (const bound of ['min', 'middle', 'max'] as const) {
              const ofLines = found!.lines.reduce((all, { share }) => all.plus(share[bound]), new Big(0));
              expect(ofLines.toFixed()).toBe(found!.share[bound]);
            }
          }
        }
        await user.delete(`/api/formulas/${id}`).expect(204);
      }),
      { numRuns: samples(12) },
    );
  });
});
