import { FormulaSearchRepository } from '../../src/ai/capabilities/search-keywords/formula-search.repository';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';

// As an access policy would have it: what is named so may be read by nobody.
jest.mock('../../src/database/readable', () => {
  const hiddenBy = (column: string) => (row: string) => `(false OR ${row}.${column} NOT LIKE 'Secret%')`;
  return {
    readable: {
      formula: hiddenBy('name'),
      project: hiddenBy('name'),
      ingredient: hiddenBy('inci_name'),
      color: hiddenBy('name'),
    },
  };
});

let service: TestApp;
let user: Account;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

const namesIn = async (path: string, key = 'name'): Promise<unknown[]> => {
  const { body } = await user.get(path).expect(200);
  return (body.data as Record<string, unknown>[]).map((record) => record[key]).sort();
};

describe('Where records are read, what may be read is asked', () => {
  it('of formulas and of their projects', async () => {
    const { id: ingredientId } = await createIngredient(user, { inciName: 'Aloe' });
    const make = async (name: string) => {
      const project = await createProject(user, { name: `${name} Project` });
      const formula = await createFormula(user, wholeOf(ingredientId), {
        name: `${name} Cream`,
        projectId: project.id,
      });
      return { id: formula.id as string, projectId: project.id as string };
    };
    const [open, secret] = [await make('Open'), await make('Secret')];

    await user.get(`/api/formulas/${open.id}`).expect(200);
    await user.get(`/api/formulas/${secret.id}`).expect(404);
    await user.put(`/api/formulas/${secret.id}`, {}).expect(404);
    await user.put(`/api/formulas/${secret.id}`, { name: 'Open too' }).expect(404);
    await user.get(`/api/projects/${secret.projectId}`).expect(404);
    expect(await namesIn('/api/projects')).toEqual(['Open Project']);
    expect(await namesIn('/api/formulas')).toEqual(['Open Cream']);
    for (const text of ['cream', 'creem', 'creem m', 'm'])
      expect(await namesIn(`/api/formulas?search=${text}`)).toEqual(['Open Cream']);
    expect(await namesIn('/api/ai/search?q=cream')).toEqual(['Open Cream']);
    expect(await namesIn('/api/ai/search?q=Aloe')).toEqual(['Open Cream']);
    const aim = { costLimit: 20, baseFormulaId: secret.id };
    await user.post('/api/ai/explore-formula', aim).expect(404);

    const loose = await createFormula(user, wholeOf(ingredientId), {
      name: 'Open Gel',
      projectId: secret.projectId,
    });
    const { body } = await user.get(`/api/formulas/${loose.id}`).expect(200);
    expect(body.data.project).toBeNull();
  });

  it('of ingredients', async () => {
    const described = { chineseName: '红没药', functionCategory: 'antioxidant' };
    await createIngredient(user, { ...described, inciName: 'Open Bisabolol' });
    const hidden = await createIngredient(user, { ...described, inciName: 'Secret Bisabolol' });
    await user.get(`/api/ingredients/${hidden.id}`).expect(404);
    await user.put(`/api/ingredients/${hidden.id}`, { supplier: 'x' }).expect(404);
    await user.delete(`/api/ingredients/${hidden.id}`).expect(404);
    const searches = ['search=bisabolol', 'search=lo', 'search=%E7%BA%A2'];
    for (const query of [
      'category=antioxidant',
      ...searches,
      ...searches.map((one) => `${one}&category=antioxidant`),
    ])
      expect(await namesIn(`/api/ingredients?${query}`, 'inciName')).toContain('Open Bisabolol');
    for (const query of [
      '',
      'category=antioxidant',
      ...searches,
      ...searches.map((one) => `${one}&category=antioxidant`),
    ])
      expect(await namesIn(`/api/ingredients?${query}`, 'inciName')).not.toContain('Secret Bisabolol');
    const { body } = await user.post('/api/ai/extract-formula', { text: 'Secret Bisabolol 1%' }).expect(200);
    expect(body.data).toMatchObject([{ inciName: 'Secret Bisabolol', chineseName: '' }]);
    // A formula is found by its ingredients, not by those that may not be read.
    await createFormula(user, wholeOf(hidden.id), { name: 'Open Balm' });
    expect(await namesIn('/api/ai/search?q=bisabolol')).toEqual([]);
    const search = service.app.get(FormulaSearchRepository);
    expect(await search.candidates([], { category: 'antioxidant' })).toEqual([]);
  });

  it('of colours', async () => {
    const targetLab = { L: 50, a: 20, b: 10 };
    for (const name of ['Open Rose', 'Secret Rose'])
      for (let copy = 0; copy < 60; copy++)
        await user.post('/api/color/formulas', { name: `${name} ${copy}`, targetLab }).expect(201);
    const found = await namesIn('/api/color/formulas/match?L=50&a=20&b=10&limit=20');
    expect(found).toHaveLength(20);
    expect(found.filter((name) => String(name).startsWith('Secret'))).toEqual([]);
    const { body } = await user.post('/api/color/recommend', { targetLab }).expect(200);
    expect(JSON.stringify(body)).not.toContain('Secret');
  });
});
