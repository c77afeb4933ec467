import { declarationOf, EU, material } from '../../test/support/declarations';
import { expanding } from '../formulas/composition/expansion';
import { declaring } from './declaration';
import { atOnce, inSlices, mapping, type Steps } from '../platform/common/steps';

/** How many turns others have while this is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const stepsOf = <T>(steps: Steps<T>): number => {
  let count = 0;
  while (!steps.next().done) count++;
  return count;
};

it('work in slices leaves turns to others, and has the same result', async () => {
  const work = () =>
    mapping([1, 2, 3, 4, 5, 6], (number) => {
      busy(6);
      return number * 2;
    });
  let made: number[] = [];
  const turns = await turnsDuring(async () => {
    made = await inSlices(work());
  });
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(made).toEqual([2, 4, 6, 8, 10, 12]);
  expect(atOnce(work())).toEqual(made);
});

it('short work is done at once', async () => {
  expect(await turnsDuring(() => inSlices(mapping([1, 2], (number) => number)))).toBe(0);
});

it('a fault ends the work', async () => {
  const fails = mapping([1], () => {
    throw new Error('no');
  });
  await expect(inSlices(fails)).rejects.toThrow('no');
});

it('the substances of a declaration are steps of the work', () => {
  const names = Array.from({ length: 50 }, (_, index) => `Substance ${index}`);
  const lines = declarationOf(
    names.map((name) => material(name, 2)),
    EU,
  ).entries.map(({ origins }) => origins[0]!.line);
  const composition = {
    formulaId: 'f',
    formulaName: 'F',
    versionNumber: 1,
    createdAt: '',
    phases: [{ name: 'A', sortOrder: 1, lines }],
  };
  expect(stepsOf(expanding(composition, new Map()))).toBeGreaterThanOrEqual(50);
  const expansion = atOnce(expanding(composition, new Map()));
  expect(stepsOf(declaring(expansion, lines, EU))).toBeGreaterThanOrEqual(50 * 4);
});
