import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  ForbiddenError,
  type OwnedRecord,
} from '../../src';
import { expectError, FORBIDDEN } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, type Ingredient, wholeOf } from '../support/factories';

/** Decides about each formula, refuses by an error, and shows no names of accounts, by a promise. */
class RefusingPolicy extends AccessPolicy {
  static locked = '';
  canConfigure = () => true;
  override canUse = () => Promise.resolve(false);
  canChange = ({ id }: CurrentUser, record: OwnedRecord) => {
    if (id !== record.createdBy || record.id === RefusingPolicy.locked) throw new ForbiddenError();
    return true;
  };
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: RefusingPolicy }] })
class RefusingModule {}

let service: TestApp;
let user: Account;
let other: Account;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [RefusingModule] })] } });
  [user, other] = [await service.register(), await service.register()];
});
afterAll(() => service.close());

describe('A replacement under a policy that refuses by an error', () => {
  let old: Ingredient;
  let by: Ingredient;
  beforeEach(async () => {
    [old, by] = [await createIngredient(user), await createIngredient(user)];
  });

  const replace = (body: object = {}) =>
    user.post(`/api/ext/ingredients/${old.id}/replace`, { by: by.id, ...body });

  const seed = (formulas: number) =>
    service.app.get(DataSource).query(
      `WITH f AS (INSERT INTO formulas (name, created_by) SELECT 'Many', $1 FROM generate_series(1, $2::int) RETURNING id),
       v AS (INSERT INTO formula_versions (formula_id, version_number, snapshot_data, created_by)
             SELECT id, 1, '{}', $1 FROM f RETURNING id),
       p AS (INSERT INTO formula_phases (formula_version_id, name, sort_order, position)
             SELECT id, '相', 1, 1 FROM v RETURNING id, formula_version_id)
       INSERT INTO formula_ingredients (formula_version_id, phase_id, ingredient_id, percentage, position)
       SELECT formula_version_id, id, $3::uuid, 100, 1 FROM p`,
      [other.id, formulas, old.id],
    );

  it('changes the other formulas, and lists those that are refused', async () => {
    const mine = await createFormula(user, wholeOf(old.id));
    const locked = await createFormula(user, wholeOf(old.id), { name: '已审批' });
    const theirs = await createFormula(other, wholeOf(old.id), { name: '他人' });
    RefusingPolicy.locked = locked.id;
    const { data } = (await replace({ dryRun: false }).expect(200)).body;
    expect(data.formulas.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    const refused = ({ id, name }: { id: string; name: string }, createdBy: Account) => ({
      id,
      name,
      createdBy: { id: createdBy.id, username: null },
      share: 100,
    });
    expect(data.notPermitted).toEqual([refused(theirs, other), refused(locked, user)]);
    expect(data.notPermittedCount).toBe(2);
  });

  it('is not limited by those that are refused, up to the number that the policy decides about', async () => {
    const mine = await createFormula(user, wholeOf(old.id));
    await seed(999);
    const { data } = (await replace().expect(200)).body;
    expect(data.formulas.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    expect([data.notPermitted.length, data.notPermittedCount]).toEqual([200, 999]);
    await seed(1);
    expectError(await replace(), 409, '涉及的配方超过1000个,请用 formulas 缩小范围');
    await replace({ formulas: { ids: [mine.id] } }).expect(200);
  });
});

it('A policy that refuses by a promise shows no names of accounts', async () => {
  expectError(await user.get(`/api/ext/users?ids=${other.id}`), 403, FORBIDDEN);
  const { rights } = (await user.get('/api/ext/me').expect(200)).body.data;
  expect(rights).not.toContain('users.read');
});

describe('The trash under a policy that refuses by an error', () => {
  it('lists what cannot be restored as such', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const { id } = await createFormula(user, wholeOf(ingredientId));
    await user.delete(`/api/formulas/${id}`).expect(204);
    const listed = async (account: Account) =>
      (await account.get('/api/ext/trash').expect(200)).body.data.map(
        (formula: { id: string; canRestore: boolean }) => [formula.id, formula.canRestore],
      );
    expect(await listed(user)).toEqual([[id, true]]);
    expect(await listed(other)).toEqual([[id, false]]);
    await other.post(`/api/ext/trash/${id}/restore`).expect(403);
  });
});
