import type { Test } from 'supertest';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';

const LAB = { L: 50, a: 20, b: 10 };

let service: TestApp;
let user: Account;
let ingredientId: string;
let formulaId: string;
let projectId: string;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  ingredientId = (await createIngredient(user)).id;
  formulaId = (await createFormula(user, wholeOf(ingredientId))).id;
  projectId = (await createProject(user)).id;
});
afterAll(() => service.close());

const phases = (name: string) => [{ name, sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] }];
const ingredient = (names: object) => ({
  inciName: 'x',
  chineseName: 'x',
  functionCategory: 'other',
  ...names,
});

/** Every name that a body has to hold, by the field that its fault is told of. */
const NAMED: [field: string, send: (name: string) => Test][] = [
  ['name', (name) => user.post('/api/projects', { name })],
  ['name', (name) => user.put(`/api/projects/${projectId}`, { name })],
  ['inciName', (inciName) => user.post('/api/ingredients', ingredient({ inciName }))],
  ['chineseName', (chineseName) => user.post('/api/ingredients', ingredient({ chineseName }))],
  ['inciName', (inciName) => user.put(`/api/ingredients/${ingredientId}`, { inciName })],
  ['chineseName', (chineseName) => user.put(`/api/ingredients/${ingredientId}`, { chineseName })],
  ['name', (name) => user.post('/api/formulas', { name, phases: phases('相') })],
  ['name', (name) => user.put(`/api/formulas/${formulaId}`, { name })],
  ['phases.0.name', (name) => user.post('/api/formulas', { name: 'x', phases: phases(name) })],
  ['phases.0.name', (name) => user.put(`/api/formulas/${formulaId}/composition`, { phases: phases(name) })],
  ['name', (name) => user.post('/api/color/formulas', { name, targetLab: LAB })],
];

describe.each([
  '\u200b',
  '\u2800',
  '\u3164',
  '\u202e',
  '\ufe0f',
  '\u00ad',
  '\u034f',
  '\u0001',
  ' \u2060\u3000\u115f',
])('A name of %j', (name) => {
  it.each(NAMED)('is refused as %s', async (field, send) => {
    expectError(await send(name), 400, `${field}: 不能为空`);
  });
});

it.each(['\u200bA', '\ue000', '\u0301', '☃\ufe0f', '-'])('A name of %j is seen', async (name) => {
  await user.post('/api/projects', { name }).expect(201);
});

it.each([' ', '\u00a0\u3000', '', null])('A colour that is named %j has the default name', async (name) => {
  const { body } = await user.post('/api/color/formulas', { name, targetLab: LAB }).expect(201);
  expect(body.data.name).toBe('未命名颜色配方');
});
