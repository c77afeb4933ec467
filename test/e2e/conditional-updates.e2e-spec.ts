import { type DomainEvent, EVENT_HANDLER } from '../../src';
import { AppModule } from '../../src/app.module';
import { UsersRepository } from '../../src/users/users.repository';
import { expectDeleted, expectError, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';

const INGREDIENT_CHANGED = '成分已被修改,请重新获取后再提交';
const formulaChanged = (version: number) => `配方已被修改,当前版本为${version},请重新获取后再提交`;

let service: TestApp;
let user: Account;
let admin: Account;
let ingredientId: string;

beforeAll(async () => {
  service = await bootApp();
  [user, admin] = [await service.register(), await service.register()];
  await service.app.get(UsersRepository).setRole(admin.username, 'admin');
  ({ id: ingredientId } = await createIngredient(user));
});

afterAll(() => service.close());

const tagOf = async (path: string): Promise<string> => {
  const { headers } = await user.get(path).expect(200);
  expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  return headers.etag!;
};
const put = (path: string, body: object, ifMatch: string, account = user) =>
  account.put(path, body).set('If-Match', ifMatch);
const newFormula = async (): Promise<string> =>
  `/api/formulas/${(await createFormula(user, wholeOf(ingredientId))).id}`;
const newIngredient = async (): Promise<string> => `/api/ingredients/${(await createIngredient(user)).id}`;

describe('the ETag of a record', () => {
  it('is the same in whatever answer shows it, and another for each state', async () => {
    const created = await user.post('/api/formulas', { name: '名', phases: wholeOf(ingredientId) });
    const path = `/api/formulas/${created.body.data.id}`;
    expect(created.headers.etag).toBe(await tagOf(path));
    const revised = await user.put(`${path}/composition`, { phases: wholeOf(ingredientId) });
    expect(revised.headers.etag).toBe(await tagOf(path));
    await user.put(path, { name: '新名' }).expect(200);
    const tags = [created.headers.etag, revised.headers.etag, await tagOf(path)];
    expect(new Set(tags).size).toBe(3);
  });

  it('is that of the ingredient after its creation and each change', async () => {
    const created = await user.post('/api/ingredients', {
      inciName: 'Tagged',
      chineseName: '标记',
      functionCategory: 'other',
      unitPrice: 12.5,
    });
    const path = `/api/ingredients/${created.body.data.id}`;
    expect(created.headers.etag).toBe(await tagOf(path));
    const changed = await user.put(path, { unitPrice: 13 });
    expect(changed.headers.etag).toBe(await tagOf(path));
    expect(changed.headers.etag).not.toBe(created.headers.etag);
    const back = await user.put(path, { unitPrice: 12.5 });
    expect(back.headers.etag).toBe(created.headers.etag);
  });

  it('is of names that are shown from elsewhere as well', async () => {
    const { id } = await createIngredient(user);
    const path = `/api/formulas/${(await createFormula(user, wholeOf(id))).id}`;
    const before = await tagOf(path);
    await user.put(`/api/ingredients/${id}`, { chineseName: '别名' }).expect(200);
    expect(await tagOf(path)).not.toBe(before);
  });

  it('makes no answer empty: a request that has the record gets it again', async () => {
    const path = await newFormula();
    const tag = await tagOf(path);
    for (const condition of [tag, '*', `W/${tag}`]) {
      const { status, body } = await user.get(path).set('If-None-Match', condition);
      expect(status).toBe(200);
      expect(body.data.name).toBe('测试配方');
    }
  });
});

describe.each([
  ['a formula’s metadata', newFormula, '', { name: '改' }, formulaChanged(1)],
  ['a composition', newFormula, '/composition', undefined, formulaChanged(1)],
  ['an ingredient', newIngredient, '', { supplier: '改' }, INGREDIENT_CHANGED],
])('If-Match on an update of %s', (_what, make, below, given, changed) => {
  const change = () => given ?? { phases: wholeOf(ingredientId) };

  it('lets one through that has read the present state, and without it everyone', async () => {
    const path = await make();
    await put(`${path}${below}`, change(), await tagOf(path)).expect(200);
    await put(`${path}${below}`, change(), `"other", ${await tagOf(path)}`).expect(200);
    await put(`${path}${below}`, change(), '*').expect(200);
    await user.put(`${path}${below}`, change()).expect(200);
  });

  it.each(['"other"', 'W/"other"', '"other-gzip"'])(
    'of %j changes nothing and names the present state',
    async (sent) => {
      const path = await make();
      const tag = await tagOf(path);
      const answer = await put(`${path}${below}`, change(), sent);
      expectError(answer, 412, changed);
      expect(answer.headers.etag).toBe(tag);
      expect(await tagOf(path)).toBe(tag);
    },
  );

  it.each(['W/TAG', 'TAG-gzip', 'W/TAG;br'])(
    'of %j, as a compressing proxy changes it, matches',
    async (sent) => {
      const path = await make();
      const tag = await tagOf(path);
      const changedTag = sent.replace(/TAG([^"]*)/, (_, ending) => tag.replace(/"$/, `${ending}"`));
      await put(`${path}${below}`, change(), changedTag).expect(200);
    },
  );

  it.each(['', 'tag', String.raw`\"tag\"`])('of %j is malformed and changes nothing', async (sent) => {
    const path = await make();
    const tag = await tagOf(path);
    expectError(
      await put(`${path}${below}`, change(), sent),
      400,
      'If-Match: 必须是以逗号分隔、带双引号的 ETag',
    );
    expect(await tagOf(path)).toBe(tag);
  });

  it('lets one of several through that have read the same state', async () => {
    const path = await make();
    const tag = await tagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        put(`${path}${below}`, { ...change(), description: `第${index}个` }, tag),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
    const current = await tagOf(path);
    for (const { status, headers } of answers) if (status === 412) expect(headers.etag).toBe(current);
    const { body } = await user.get(path);
    if ('versions' in body.data) expect(body.data.currentVersion).toBe(below === '' ? 1 : 2);
  });

  it('comes behind 404 and 400', async () => {
    const path = await make();
    const invalid = await put(`${path}${below}`, { phases: 1, name: '', inciName: '' }, '"other"');
    expect(invalid.status).toBe(400);
    const missing = `${path.replace(/[^/]+$/, NOWHERE)}${below}`;
    expect((await put(missing, change(), '*')).status).toBe(404);
  });
});

describe('If-Match', () => {
  it('names the version that somebody else has made meanwhile', async () => {
    const path = await newFormula();
    const tag = await tagOf(path);
    await admin.put(`${path}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
    await admin.put(`${path}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
    const late = await put(`${path}/composition`, { phases: wholeOf(ingredientId) }, tag);
    expectError(late, 412, formulaChanged(3));
    expect(late.headers['x-error-code']).toBe('formula.changed');
    await put(`${path}/composition`, { phases: wholeOf(ingredientId) }, late.headers.etag!).expect(200);
  });

  it('comes behind 403 and before unknown references', async () => {
    const path = await newFormula();
    const other = await service.register();
    expectError(await put(path, { name: '改' }, '"other"', other), 403, FORBIDDEN);
    const unknown = { phases: wholeOf(NOWHERE) };
    expectError(await put(`${path}/composition`, unknown, '"other"'), 412, formulaChanged(1));
    const answer = await put(`${path}/composition`, unknown, await tagOf(path));
    expectError(answer, 400, 'phases.0.ingredients.0.ingredientId: 成分不存在');
  });

  it.each([
    ['formula', newFormula, formulaChanged(1)],
    ['ingredient', newIngredient, INGREDIENT_CHANGED],
  ])('keeps a deletion from a %s that was changed', async (_kind, make, changed) => {
    const path = await make();
    const tag = await tagOf(path);
    await user.put(path, { description: '改' }).expect(200);
    expectError(await user.delete(path).set('If-Match', tag), 412, changed);
    expectDeleted(await user.delete(path).set('If-Match', await tagOf(path)));
    expect((await user.get(path)).status).toBe(404);
  });

  it('leaves the refusal of a used ingredient as it is', async () => {
    const { id } = await createIngredient(user);
    await createFormula(user, wholeOf(id));
    const path = `/api/ingredients/${id}`;
    const answer = await user.delete(path).set('If-Match', await tagOf(path));
    expectError(answer, 409, '该成分已被配方引用,无法删除', { usageCount: 1 });
  });
});

it('a refused write is no event', async () => {
  const events: DomainEvent[] = [];
  const handler = {
    name: 'conditional-updates',
    events: ['formula.revised'],
    inTransaction: (event: DomainEvent) => Promise.resolve(void events.push(event)),
  };
  const provider = { provide: EVENT_HANDLER, useValue: handler };
  const told = await bootApp({ module: { imports: [AppModule.register({ providers: [provider] })] } });
  try {
    const account = await told.register();
    const { id } = await createIngredient(account);
    const formula = await createFormula(account, wholeOf(id));
    const path = `/api/formulas/${formula.id}/composition`;
    const revise = (ifMatch: string) => account.put(path, { phases: wholeOf(id) }).set('If-Match', ifMatch);
    await revise('"other"').expect(412);
    expect(events).toEqual([]);
    await revise('*').expect(200);
    expect(events).toMatchObject([{ recordId: formula.id, data: { versionNumber: 2 } }]);
  } finally {
    await told.close();
  }
});
