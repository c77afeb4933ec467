import { hash } from 'node:crypto';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { recordStatements } from '../support/statements';

/*
 * The texts of the statements that requests lead to where no policy restricts what may be read. They are
 * prepared and planned as they are: a change here is one of speed, and is made on purpose (`jest -u`).
 */

let service: TestApp;
let user: Account;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

const SORTS = ['createdAt', 'updatedAt', 'name'].flatMap((sortBy) =>
  ['asc', 'desc'].map((sortOrder) => `sortBy=${sortBy}&sortOrder=${sortOrder}`),
);
const TEXTS = ['cream', 'creem', 'creem m', 'creem gell', 'm', '红', 'water cream oil'];

/** Every way of reading and writing that has a statement of its own. */
async function walk(): Promise<void> {
  const { id: ingredientId } = await createIngredient(user, { inciName: 'Walked Aqua', chineseName: '红水' });
  const { id: projectId } = await createProject(user, { name: 'Walked' });
  const phases = wholeOf(ingredientId);
  const { id } = await createFormula(user, phases, { name: 'Cream gel', projectId });
  const targetLab = { L: 50, a: 1, b: 2 };
  await user.post('/api/color/formulas', { targetLab, formulaId: id }).expect(201);
  const paths = [
    ...SORTS.flatMap((sort) => [
      `/api/formulas?${sort}`,
      `/api/formulas?${sort}&limit=100&page=200`,
      ...TEXTS.map((text) => `/api/formulas?${sort}&search=${encodeURIComponent(text)}`),
    ]),
    `/api/formulas/${id}`,
    '/api/projects',
    `/api/projects/${projectId}`,
    `/api/ingredients/${ingredientId}`,
    ...['', '&category=other'].flatMap((category) => [
      `/api/ingredients?page=1${category}`,
      `/api/ingredients?page=1${category}&search=aqua`,
      `/api/ingredients?page=1${category}&search=a`,
    ]),
    '/api/color/formulas/match?L=50&a=1&b=2',
    '/api/color/library',
    '/api/color/library?search=red',
    '/api/color/library?L=50&a=1&b=2',
    ...TEXTS.map((text) => `/api/ai/search?q=${encodeURIComponent(text)}`),
  ];
  for (const path of paths) await user.get(path).expect(200);
  await user.post('/api/color/recommend', { targetLab }).expect(200);
  await user.post('/api/ai/explore-formula', { costLimit: 9, baseFormulaId: id }).expect(200);
  await user.post('/api/ai/extract-formula', { text: 'Walked Aqua 5%\n红水 5%' }).expect(200);
  await user.put(`/api/formulas/${id}`, {}).expect(200);
  await user.put(`/api/formulas/${id}`, { name: 'Cream' }).expect(200);
  await user.put(`/api/formulas/${id}/composition`, { phases }).expect(200);
  const unknown = wholeOf('00000000-0000-4000-8000-000000000000');
  await user.post('/api/formulas', { name: 'x', phases: unknown, projectId }).expect(400);
  await user.put(`/api/projects/${projectId}`, { name: 'Walked on' }).expect(200);
  await user.put(`/api/ingredients/${ingredientId}`, { supplier: 'x' }).expect(200);
  await user.delete(`/api/ingredients/${ingredientId}`).expect(409);
  await user.delete(`/api/formulas/${id}`).expect(204);
  await user.delete(`/api/projects/${projectId}`).expect(204);
  await user.delete(`/api/ingredients/${ingredientId}`).expect(204);
}

it('Statements without a policy are these, byte for byte', async () => {
  const statements = (await recordStatements(walk)).map((statement) =>
    typeof statement === 'string' ? { name: undefined, text: statement } : statement,
  );
  const texts = statements
    // A connection to a server is set up when there is none.
    .filter(({ text }) => !text.includes('set_config('))
    .map(({ name, text }) => `${name ?? '-'} ${hash('sha256', text).slice(0, 16)}`);
  // What of the similarity asks depends on whether the server has pgvector.
  const asked = texts.filter((text) => !/similarity|has-vector/.test(text));
  expect([...new Set(asked)].sort()).toMatchSnapshot();
});
