import fc from 'fast-check';
import { smallestConflict } from './linear-program';

/** Wishes are possible together unless they contain one of the conflicts. */
const without = (conflicts: readonly (readonly number[])[]) => (wishes: readonly number[]) =>
  !conflicts.some((conflict) => conflict.every((wish) => wishes.includes(wish)));

describe('smallestConflict', () => {
  it('is possible without any one of its wishes', () => {
    const wishes = fc.integer({ min: 1, max: 30 });
    const conflicts = fc.array(fc.uniqueArray(fc.nat(29), { minLength: 1, maxLength: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(wishes, conflicts, (count, given) => {
        const all = [...Array(count).keys()];
        const isPossible = without(given);
        fc.pre(!isPossible(all));
        const found = smallestConflict(all, isPossible);
        expect(isPossible(found)).toBe(false);
        for (const left of found) expect(isPossible(found.filter((wish) => wish !== left))).toBe(true);
      }),
    );
  });

  it('asks about few sets if the conflict is small', () => {
    const isPossible = jest.fn(without([[17, 803]]));
    expect(smallestConflict([...Array(1000).keys()], isPossible)).toEqual([17, 803]);
    expect(isPossible.mock.calls.length).toBeLessThan(60);
  });
});
