/** Most characters of an ingredient's texts, for requests and imports alike. */
export const INGREDIENT_LIMITS = { name: 200, unit: 200, description: 2000 } as const;

export const DEFAULT_UNIT = 'kg';
