/** A request for a formula of so many lines in one phase, of these ingredients by turns. */
export const formulaOf = (lines, ingredients) => ({
  name: `Formula of ${lines} lines`,
  phases: [
    {
      name: 'A',
      sortOrder: 0,
      ingredients: Array.from({ length: lines }, (_, n) => ({
        ingredientId: ingredients[n % ingredients.length],
        percentage: 100 / lines,
      })),
    },
  ],
});
