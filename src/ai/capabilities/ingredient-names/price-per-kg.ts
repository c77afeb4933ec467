/** Kilograms in one of each unit that is known; of any other, such as a litre, the weight is not. */
const KILOGRAMS: ReadonlyMap<string, number> = new Map([
  ...['kg', 'kgs', 'kilo', 'kilogram', 'kilograms', '千克', '公斤'].map((unit) => [unit, 1] as const),
  ...['g', 'gm', 'gram', 'grams', '克', '公克'].map((unit) => [unit, 1e-3] as const),
  ...['mg', '毫克'].map((unit) => [unit, 1e-6] as const),
  ...['t', 'ton', 'tonne', 'tons', 'tonnes', '吨', '公吨'].map((unit) => [unit, 1_000] as const),
  ...['斤', '市斤'].map((unit) => [unit, 0.5] as const),
  ...['lb', 'lbs', 'pound', 'pounds', '磅'].map((unit) => [unit, 0.453_592_37] as const),
  ...['oz', 'ounce', 'ounces', '盎司'].map((unit) => [unit, 0.028_349_523_125] as const),
]);

/** The price of a kilogram; undefined where there is no price, or its unit is not one of weight. */
export function pricePerKg(unitPrice: number | null, unit: string): number | undefined {
  const kilograms = KILOGRAMS.get(unit.normalize('NFKC').trim().toLowerCase());
  if (unitPrice === null || kilograms === undefined) return undefined;
  const price = unitPrice / kilograms;
  return Number.isFinite(price) ? price : undefined;
}
