import { DataSource } from 'typeorm';
import type * as Fields from '../../src/formulas/formula.fields';
import { FORMULA_COLUMNS } from '../../src/formulas/formula.fields';
import type * as Validation from '../../src/platform/validation/fields';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, ingredientInput, wholeOf } from '../support/factories';

/*
 * "Add an optional number to formulas" in docs/changing.md, done here: the field, the row of FORMULA_COLUMNS
 * and the column.
 */
jest.mock('../../src/formulas/formula.fields', () => {
  const fields = jest.requireActual<typeof Fields>('../../src/formulas/formula.fields');
  const { NumberField } = jest.requireActual<typeof Validation>('../../src/platform/validation/fields');
  NumberField({ min: 0, presence: 'optional' })(fields.FormulaFields.prototype, 'density');
  const column = { field: 'density', column: 'density', type: 'numeric' };
  return { ...fields, FORMULA_COLUMNS: [...fields.FORMULA_COLUMNS, column] };
});

let service: TestApp;
let user: Account;
let ingredientId: string;

beforeAll(async () => {
  service = await bootApp();
  await service.app.get(DataSource).query('ALTER TABLE formulas ADD COLUMN density numeric');
  user = await service.register();
  ingredientId = (await createIngredient(user, { inciName: 'Aqua', chineseName: '水' })).id;
});
afterAll(() => service.close());

const densityOf = async (answer: PromiseLike<{ body: { data: { density?: number } } }>) =>
  (await answer).body.data.density;

describe('A number that is added to formulas', () => {
  it('comes back from every route that answers a formula', async () => {
    const phases = wholeOf(ingredientId);
    const { id, density } = await createFormula(user, phases, { density: 0.95 });
    expect(density).toBe(0.95);
    const path = `/api/formulas/${id}`;
    const ext = `/api/ext/formulas/${id}`;
    const copy = (await user.post(`${ext}/copy`, {}).expect(201)).body.data;
    expect(copy.density).toBe(0.95);
    expect(await densityOf(user.put(path, { density: 0.9 }).expect(200))).toBe(0.9);
    expect(await densityOf(user.put(path, { name: 'Cream' }).expect(200))).toBe(0.9);
    expect(await densityOf(user.put(path, {}).expect(200))).toBe(0.9);
    expect(await densityOf(user.put(`${path}/composition`, { phases }).expect(200))).toBe(0.9);
    expect(await densityOf(user.post(`${ext}/versions/1/restore`, {}).expect(201))).toBe(0.9);
    expect(await densityOf(user.get(path).expect(200))).toBe(0.9);
    expect(await densityOf(user.get(`${ext}?expand=price`).expect(200))).toBe(0.9);
    const exported = async () =>
      (await user.get('/api/ext/export/formulas?versions=all').expect(200)).body.data.map(
        (formula: { density: number }) => formula.density,
      );
    expect(await exported()).toEqual([0.9, 0.95]);
    await user.delete(path).expect(204);
    expect(await densityOf(user.post(`/api/ext/trash/${id}/restore`, {}).expect(200))).toBe(0.9);
    expect(await densityOf(user.get(path).expect(200))).toBe(0.9);
    expect(await densityOf(user.put(path, { density: null }).expect(200))).toBeNull();
    await user.put(path, { density: -1 }).expect(400);
  });

  it('is nothing where a formula has none, and changes neither lists nor files', async () => {
    const { id } = (await createIngredient(user, ingredientInput())) as { id: string };
    const { density } = await createFormula(user, wholeOf(id), { name: 'Plain' });
    expect(density).toBeNull();
    const csv = 'Formula,INCI,%\nImported,Aqua,100\n';
    await user.post('/api/ext/import/formulas').set('Content-Type', 'text/csv').send(csv).expect(200);
    const { body } = await user.get('/api/formulas?search=Imported').expect(200);
    expect(Object.keys(body.data[0])).not.toContain('density');
    expect(await densityOf(user.get(`/api/formulas/${body.data[0].id}`).expect(200))).toBeNull();
    expect(FORMULA_COLUMNS.at(-1)).toMatchObject({ field: 'density' });
  });
});
