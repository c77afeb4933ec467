import { Injectable, Module } from '@nestjs/common';
import {
  AccessPolicy,
  AppModule,
  type AskedWrite,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EVENT_HANDLER,
  WRITE_VALIDATOR,
} from '../../src';
import { ciede2000, euclideanDifference } from '../../src/colors/difference';
import { expectDeleted, expectError, expectKeys, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

const PATH = '/api/ext/color/formulas';
const CHANGED = '颜色配方已被修改,请重新获取后再提交';
const MISSING = '颜色配方不存在';

/** Colours and formulas whose name begins with `secret` are seen by their creators only. */
@Injectable()
class SecretsPolicy extends AccessPolicy {
  canChange = (user: CurrentUser, { createdBy }: { createdBy: string }) => user.id === createdBy;
  canConfigure = () => true;

  override readable() {
    const condition = (row: string, [user]: readonly string[]) =>
      `(${row}.name NOT LIKE 'secret%' OR ${row}.created_by = ${user})`;
    return {
      types: ['uuid'],
      values: ({ id }: CurrentUser) => [id],
      conditions: { color: condition, formula: condition },
    };
  }
}

const events: DomainEvent[] = [];
const recorder = {
  name: 'recorder',
  events: ['color.updated', 'color.deleted'] as const,
  inTransaction: (event: DomainEvent) => void events.push(event),
};
const vetoed = new Set<string>();
const validator = {
  writes: ['color.updated'] as const,
  faults: ({ recordId }: AskedWrite) =>
    Promise.resolve(vetoed.has(recordId ?? '') ? [{ field: 'name', message: 'locked' }] : []),
};

@Module({
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: SecretsPolicy },
    { provide: EVENT_HANDLER, useValue: recorder },
    { provide: WRITE_VALIDATOR, useValue: validator },
  ],
})
class SecretsModule {}

const TARGET = { L: 50, a: 20, b: 10 };
const MEASURED = { L: 51, a: 21.5, b: 9 };
const COLORANTS = { 'CI 77491': 2.4, 'CI 77891': 5.1 };

let service: TestApp;
let user: Account;
let other: Account;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [SecretsModule] })] } });
  user = await service.register();
  other = await service.register();
});
afterAll(() => service.close());
beforeEach(() => events.splice(0));

const store = async (by: Account, body: object = {}): Promise<{ id: string; name: string }> =>
  (await by.post('/api/color/formulas', { targetLab: TARGET, ...body }).expect(201)).body.data;

const formulaOf = async (by: Account, name: string): Promise<string> =>
  (await createFormula(by, wholeOf((await createIngredient(by)).id), { name })).id as string;

describe('GET /api/ext/color/formulas/:id', () => {
  it('has the computed differences beside the stored one', async () => {
    const color = await store(user, { actualLab: MEASURED, deltaE: 7, colorantComposition: COLORANTS });
    const { body, headers } = await user.get(`${PATH}/${color.id}`).expect(200);
    expect(body.data).toEqual({
      ...color,
      deltaE2000: ciede2000(TARGET, MEASURED),
      deltaE76: euclideanDifference(TARGET, MEASURED),
    });
    expect(body.data.deltaE).toBe(7);
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  });

  it('has null for both without a measurement', async () => {
    const { id } = await store(user);
    const { body } = await user.get(`${PATH}/${id}`).expect(200);
    expect(body.data).toMatchObject({ actualLab: null, deltaE: null, deltaE2000: null, deltaE76: null });
  });

  it('is 404 for one that is hidden, as for one that is not there', async () => {
    const { id } = await store(other, { name: 'secret rose' });
    await other.get(`${PATH}/${id}`).expect(200);
    for (const missing of [id, NOWHERE, 'x']) {
      expectError(await user.get(`${PATH}/${missing}`), 404, MISSING);
      expectError(await user.put(`${PATH}/${missing}`, { name: 'x' }), 404, MISSING);
      expectError(await user.delete(`${PATH}/${missing}`), 404, MISSING);
    }
  });
});

describe('GET /api/ext/color/formulas', () => {
  it('lists, searches and pages, the newest first', async () => {
    const names = ['Ｃoral １００％', 'coral 2', 'plum'];
    for (const name of names) await store(user, { name });
    await store(other, { name: 'secret coral' });
    const list = async (query: string, by = user) => {
      const { body } = await by.get(`${PATH}?${query}`).expect(200);
      expect(body.data.length).toBeLessThanOrEqual(body.pagination.limit);
      return { names: body.data.map(({ name }: { name: string }) => name), total: body.pagination.total };
    };
    expect(await list('search=CORAL')).toEqual({ names: ['coral 2', names[0]], total: 2 });
    expect((await list('search=CORAL', other)).total).toBe(3);
    expect(await list('search=coral&page=2&limit=1')).toEqual({ names: [names[0]], total: 2 });
    expect(await list('search=0%25')).toEqual({ names: [names[0]], total: 1 });
    expect((await list('search=_')).total).toBe(0);
    const all = await list('limit=3');
    expect(all.names).toEqual(names.toReversed());
    expect(all.total).toBeGreaterThan(3);
  });

  it('finds the colours of a formula', async () => {
    const formulaId = await formulaOf(user, 'Lipstick');
    const { id } = await store(user, { formulaId });
    const { body } = await user.get(`${PATH}?formulaId=${formulaId}`).expect(200);
    expect(body.data.map((color: { id: string }) => color.id)).toEqual([id]);
    expect((await user.get(`${PATH}?formulaId=${NOWHERE}`).expect(200)).body.data).toEqual([]);
    expectError(await user.get(`${PATH}?formulaId=x`), 400, 'formulaId: 必须是 UUID');
  });

  it('takes as many statements for a hundred as for one', async () => {
    for (let n = 0; n < 20; n++) await store(user);
    const one = await countStatements(() => user.get(`${PATH}?limit=1`).expect(200));
    expect(await countStatements(() => user.get(`${PATH}?limit=100`).expect(200))).toBe(one);
  });
});

describe('PUT /api/ext/color/formulas/:id', () => {
  it('changes what is sent, and leaves the rest', async () => {
    const color = await store(user, {
      name: '红',
      deltaE: 1,
      actualLab: MEASURED,
      colorantComposition: COLORANTS,
    });
    const change = { targetLab: { L: 40, a: 1, b: 2 }, deltaE: 0.5 };
    const { body } = await user.put(`${PATH}/${color.id}`, change).expect(200);
    expect(body.data).toMatchObject({
      ...color,
      ...change,
      deltaE76: euclideanDifference(change.targetLab, MEASURED),
    });
    const cleared = { name: null, actualLab: null, deltaE: null, colorantComposition: null };
    const after = (await user.put(`${PATH}/${color.id}`, cleared).expect(200)).body.data;
    expect(after).toMatchObject({
      ...cleared,
      name: '未命名颜色配方',
      targetLab: change.targetLab,
      deltaE2000: null,
    });
    const list = [{ name: 'CI 77491', ratio: 0.6 }, 7, null, 'x'];
    const withList = await user.put(`${PATH}/${color.id}`, { colorantComposition: list }).expect(200);
    expect(withList.body.data.colorantComposition).toEqual(list);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['color.updated', { changed: ['targetLab', 'deltaE'] }],
      ['color.updated', { changed: ['name', 'actualLab', 'deltaE', 'colorantComposition'] }],
      ['color.updated', { changed: ['colorantComposition'] }],
    ]);
    const found = await user.get('/api/color/formulas/match?L=40&a=1&b=2&limit=1').expect(200);
    expect(found.body.data[0]).toMatchObject({ id: color.id, distance: 0 });
  });

  it('changes nothing without a field', async () => {
    const color = await store(user, { name: '红' });
    expect((await user.put(`${PATH}/${color.id}`, {}).expect(200)).body.data).toMatchObject(color);
    expect(events).toEqual([]);
  });

  it('is for those who may change it, and passes validators', async () => {
    const { id } = await store(user, { name: '红' });
    expectError(await other.put(`${PATH}/${id}`, { name: 'x' }), 403, FORBIDDEN);
    expectError(await other.delete(`${PATH}/${id}`), 403, FORBIDDEN);
    vetoed.add(id);
    expectError(await user.put(`${PATH}/${id}`, { name: 'x' }), 400, 'name: locked');
    expect((await user.get(`${PATH}/${id}`)).body.data.name).toBe('红');
  });

  it.each([
    [{ targetLab: null }, 'targetLab: 不能为空'],
    [{ targetLab: { L: 101, a: 0, b: 0 } }, 'targetLab.L: 不能大于100'],
    [{ deltaE: -1 }, 'deltaE: 不能小于0'],
    [{ formulaId: NOWHERE }, 'formulaId: 配方不存在'],
  ])('refuses %j', async (body, error) => {
    const { id } = await store(user);
    expectError(await user.put(`${PATH}/${id}`, body), 400, error);
  });

  it('does not link a hidden formula', async () => {
    const hidden = await formulaOf(other, 'secret lipstick');
    const { id } = await store(user);
    expectError(await user.put(`${PATH}/${id}`, { formulaId: hidden }), 400, 'formulaId: 配方不存在');
    const { id: theirs } = await store(other);
    await other.put(`${PATH}/${theirs}`, { formulaId: hidden }).expect(200);
  });

  it('and DELETE write only the state that If-Match names', async () => {
    const { id } = await store(user);
    const path = `${PATH}/${id}`;
    const { etag } = (await user.get(path)).headers as { etag: string };
    const changed = await user.put(path, { name: 'first' }).set('If-Match', etag).expect(200);
    const refused = await user.put(path, { name: 'second' }).set('If-Match', etag);
    expectError(refused, 412, CHANGED);
    expect(refused.headers.etag).toBe(changed.headers.etag);
    expectError(await user.delete(path).set('If-Match', etag), 412, CHANGED);
    expect((await user.get(path)).headers.etag).toBe(changed.headers.etag);
    expectDeleted(await user.delete(path).set('If-Match', changed.headers.etag as string));
    expect(events.at(-1)).toMatchObject({ type: 'color.deleted', recordId: id, data: {} });
    expectError(await user.get(path), 404, MISSING);
  });
});

describe('GET /api/ext/color/match', () => {
  let rich: TestApp;
  let colorist: Account;
  const match = async (query: string) => {
    const { body } = await colorist.get(`/api/ext/color/match?${query}`).expect(200);
    expectKeys(body.data as object, ['matches', 'isNear', 'threshold', 'notes']);
    return body.data as {
      matches: Record<string, any>[];
      isNear: boolean;
      threshold: number;
      notes: string[];
    };
  };

  beforeAll(async () => {
    rich = await bootApp();
    colorist = await rich.register();
  });
  afterAll(() => rich.close());

  it('says that there is none', async () => {
    expect(await match('L=50&a=20&b=10')).toEqual({
      matches: [],
      isNear: false,
      threshold: 5,
      notes: ['没有可供匹配的颜色。'],
    });
  });

  it('has the matches of the contract, and notes that none is near', async () => {
    const store3 = [TARGET, { L: 52, a: 20, b: 10 }, { L: 80, a: 0, b: 0 }];
    for (const targetLab of store3) await store(colorist, { targetLab, colorantComposition: COLORANTS });
    for (const query of ['L=50&a=20&b=10', 'L=50&a=20&b=10&limit=2', 'L=10&a=0&b=-30']) {
      const contract = (await colorist.get(`/api/color/formulas/match?${query}`).expect(200)).body
        .data as object[];
      const found = await match(query);
      expect(found.matches).toEqual(contract.map((one) => ({ ...one, duplicates: [] })));
      const nearest = found.matches[0]!.distance as number;
      expect(found.isNear).toBe(nearest <= 5);
      if (nearest > 5) {
        const shown = (Math.ceil(nearest * 100) / 100).toFixed(2);
        expect(found.notes).toEqual([`没有接近的颜色：最近的颜色与所查颜色的 ΔE2000 为 ${shown}，超过 5。`]);
      } else expect(found.notes).toEqual([]);
    }
    expect((await match('L=10&a=0&b=-30&lang=en')).notes[0]).toMatch(
      /^Nothing is near: .* ΔE2000 \d+\.\d\d,/,
    );
  });

  it('folds duplicates with unique=true, and finds others in their place', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 70; n++)
      ids.push((await store(colorist, { name: '同 红', targetLab: { L: 30, a: 5, b: 5 } })).id);
    const own = await store(colorist, { name: '他色', targetLab: { L: 30, a: 5, b: 5 } });
    const query = 'L=30&a=5&b=5&limit=3';
    expect((await match(query)).matches.map(({ name }) => name as string)).not.toContain('未命名颜色配方');
    const { matches, notes, isNear } = await match(`${query}&unique=true`);
    expect(matches).toHaveLength(3);
    expect([isNear, notes]).toEqual([true, []]);
    const folded = matches.find(({ name }) => name === '同 红')!;
    expect([folded.id, ...folded.duplicates].sort()).toEqual(ids.sort());
    expect(folded.id).toBe(ids[0]);
    expect(matches.find(({ id }) => id === own.id)).toMatchObject({ duplicates: [], distance: 0 });
  }, 60_000);

  it('says where it has not compared all', async () => {
    for (let n = 0; n < 200; n++) await store(colorist, { name: '同 红', targetLab: { L: 30, a: 5, b: 5 } });
    const { matches, notes } = await match('L=30&a=5&b=5&limit=3&unique=true');
    expect(matches.length).toBeGreaterThan(0);
    expect(notes).toEqual(['仅合并了最近的 256 个颜色中的重复项，可能还有更多重复或其他接近的颜色。']);
  }, 60_000);

  it.each([
    ['L=101&a=0&b=0', 'L: 不能大于100'],
    ['a=0&b=0', 'L: 不能为空'],
    ['L=1&a=0&b=0&limit=21', 'limit: 不能大于20'],
    ['L=1&a=0&b=0&unique=yes', 'unique: 必须是以下值之一: true, false'],
  ])('refuses %s', async (query, error) => {
    expectError(await colorist.get(`/api/ext/color/match?${query}`), 400, error);
  });
});
