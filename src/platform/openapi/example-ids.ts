/** Ids of records of the demo laboratory: examples of the OpenAPI document that name them can be tried as they are. */
export const EXAMPLE_IDS = {
  user: '7f1c2a34-5b6d-4e8f-9a0b-1c2d3e4f5a6b',
  ingredient: '3f0c9b1e-5a52-4a0e-9d0c-6f1d2b7a8c41',
  otherIngredient: '9b8d4f6a-2c1e-4d73-8a5f-0e7c6b9d1f24',
  project: '5e2a7c90-8b3f-4c16-9d4e-a1f0b2c3d4e5',
  formula: 'c4d1e8f7-6a05-4b92-8e3d-7f9a0b1c2d3e',
  /** Of version 1 of the formula. */
  line: '1a6f3b8c-9d20-4e57-b4c8-5d6e7f8091a2',
  color: 'e7b3a5d2-4f18-4096-a2c7-8b9c0d1e2f30',
  limitEdition: 'd80f2c6b-7e41-4a35-9b1d-3c4d5e6f7081',
} as const;

/** By the resource before `/{id}`: with or without `ext/` the records are the same. */
const RESOURCES: Readonly<Record<string, string>> = {
  ingredients: EXAMPLE_IDS.ingredient,
  projects: EXAMPLE_IDS.project,
  formulas: EXAMPLE_IDS.formula,
  trash: EXAMPLE_IDS.formula,
  'color/formulas': EXAMPLE_IDS.color,
  'limits/editions': EXAMPLE_IDS.limitEdition,
};

/** The example of `{id}` in the path of one of the service's routes. */
export function examplePathId(path: string): string | undefined {
  const [, resource] = /^\/api\/(?:ext\/)?(.+?)\/\{id\}/.exec(path) ?? [];
  return resource && RESOURCES[resource];
}
