import { inTurns } from './in-turns';

/** Counts how often the event loop turns during the work. */
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

it('lets others work between long items, and returns all results', async () => {
  let results: number[] = [];
  const turns = await turnsDuring(async () => {
    results = await inTurns([1, 2, 3, 4, 5, 6], (number, index) => {
      busy(6);
      return number * 2 + index;
    });
  });
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(results).toEqual([2, 5, 8, 11, 14, 17]);
});

it('lets others work between the items of any number of works', async () => {
  const turns = await turnsDuring(() =>
    Promise.all(Array.from({ length: 10 }, () => inTurns([1, 2, 3, 4], () => busy(11)))),
  );
  expect(turns).toBeGreaterThanOrEqual(30);
});

it('waits for results', async () => {
  expect(await inTurns([1, 2], (number) => Promise.resolve(number + 1))).toEqual([2, 3]);
});

it('does short work at once', async () => {
  expect(await turnsDuring(() => inTurns([1, 2], (number) => number))).toBe(0);
});

it('ends with an error of the work', async () => {
  const work = jest.fn(() => {
    throw new Error('no');
  });
  await expect(inTurns([1, 2], work)).rejects.toThrow('no');
  expect(work).toHaveBeenCalledTimes(1);
});
