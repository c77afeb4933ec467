import { randomUUID } from 'node:crypto';
import type { Account } from './app';

/*
 * Records made through the API, with as little as the contract asks for; a test says only what it is about.
 */

export interface Ingredient {
  id: string;
  inciName: string;
  chineseName: string;
  functionCategory: string;
  supplier: string | null;
  unit: string;
  unitPrice: number | null;
  description: string | null;
  createdAt: string;
}

export interface Line {
  ingredientId: string;
  percentage: number;
  processNotes?: string | null;
}

export interface Phase {
  name: string;
  sortOrder: number;
  ingredients: Line[];
}

export const ingredientInput = (overrides: object = {}) => ({
  inciName: `Inci ${randomUUID()}`,
  chineseName: '测试成分',
  functionCategory: 'other',
  ...overrides,
});

export async function createIngredient(account: Account, overrides: object = {}): Promise<Ingredient> {
  const { body } = await account.post('/api/ingredients', ingredientInput(overrides)).expect(201);
  return body.data;
}

export const createIngredients = (account: Account, count: number): Promise<Ingredient[]> =>
  Promise.all(Array.from({ length: count }, () => createIngredient(account)));

/** One phase of one line that is the whole formula. */
export const wholeOf = (ingredientId: string): Phase[] => [
  { name: '全相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] },
];

/** Phases of the given percentages, all of one ingredient. */
export const phasesOf = (ingredientId: string, ...phases: number[][]): Phase[] =>
  phases.map((percentages, index) => ({
    name: `相${index + 1}`,
    sortOrder: index + 1,
    ingredients: percentages.map((percentage) => ({ ingredientId, percentage })),
  }));

export async function createFormula(account: Account, phases: Phase[], overrides: object = {}) {
  const { body } = await account
    .post('/api/formulas', { name: '测试配方', phases, ...overrides })
    .expect(201);
  return body.data;
}

export async function createProject(account: Account, overrides: object = {}) {
  const { body } = await account.post('/api/projects', { name: '测试项目', ...overrides }).expect(201);
  return body.data;
}
