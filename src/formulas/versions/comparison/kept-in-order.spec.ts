import fc from 'fast-check';
import { keptInOrder } from './kept-in-order';

/** The weight of the heaviest increasing subsequence, by trying all. */
function heaviest(places: readonly number[], weights: readonly number[], above = -1): number {
  const [place, ...rest] = places;
  if (place === undefined) return 0;
  const without = heaviest(rest, weights.slice(1), above);
  return place > above ? Math.max(without, weights[0]! + heaviest(rest, weights.slice(1), place)) : without;
}

it('keeps the increasing subsequence of the largest weight', () => {
  const things = fc.uniqueArray(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 9 })), {
    selector: ([place]) => place,
    maxLength: 10,
  });
  fc.assert(
    fc.property(things, (given) => {
      const places = given.map(([place]) => place);
      const weights = given.map(([, weight]) => weight);
      const kept = [...keptInOrder(places, weights, 21)].sort((x, y) => x - y);
      expect(kept.map((index) => places[index]!)).toEqual(
        kept.map((index) => places[index]!).toSorted((x, y) => x - y),
      );
      expect(kept.reduce((sum, index) => sum + weights[index]!, 0)).toBe(heaviest(places, weights));
    }),
    { numRuns: 1000 },
  );
});
