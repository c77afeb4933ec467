import { DatabaseService } from '../../src/index';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { expectError } from '../support/answers';

/** Foreign keys of an extension that do not say what shall become of its row when the record goes. */
describe('A record that a row of an extension refers to', () => {
  let service: TestApp;
  let user: Account;
  const run = (text: string) => service.app.get(DatabaseService).query({ text });

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
    await run(`CREATE TABLE ext_notes (
      formula_id uuid CONSTRAINT fk_ext_notes_formula REFERENCES formulas,
      ingredient_id uuid CONSTRAINT fk_ext_notes_ingredient REFERENCES ingredients,
      project_id uuid CONSTRAINT fk_ext_notes_project REFERENCES projects)`);
  });
  afterAll(() => service.close());

  const records = {
    formula: async () => (await createFormula(user, wholeOf((await createIngredient(user)).id))).id,
    ingredient: async () => (await createIngredient(user)).id,
    project: async () => (await createProject(user)).id,
  };

  it.each(Object.entries(records))('is not deleted (409) until that row is: %s', async (kind, create) => {
    const id = await create();
    await run(`INSERT INTO ext_notes (${kind}_id) VALUES ('${id}')`);
    const path = `/api/${kind}s/${id}`;
    const refused = await user.delete(path);
    expectError(refused, 409, '该记录正被引用,无法删除');
    expect(refused.headers['x-error-code']).toBe('record.in-use');
    await user.get(path).expect(200);
    await run('DELETE FROM ext_notes');
    const deleted = await user.delete(path);
    expect(deleted.status).toBeLessThan(300);
    await user.get(path).expect(404);
  });
});
