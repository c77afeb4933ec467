import type { TestClient } from 'formula-development-service/testing';

/** Writes a formula of one ingredient of its own, and gives its id. */
export async function createFormula(client: TestClient, name: string, projectId?: string): Promise<string> {
  const ingredient = await client.post('/api/ingredients', {
    inciName: `Aqua ${name}`,
    chineseName: '水',
    functionCategory: 'other',
  });
  const { status, text, body } = await client.post('/api/formulas', {
    name,
    projectId,
    phases: phasesOf(ingredient.body.data.id),
  });
  if (status !== 201) throw new Error(`${status} ${text}`);
  return body.data.id;
}

/** A composition of one ingredient. */
export const phasesOf = (ingredientId: string) => [
  { name: 'Water', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] },
];
