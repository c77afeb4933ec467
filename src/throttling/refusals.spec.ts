import { Refusals } from './refusals';

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('Refusals', () => {
  /** The numbers of the refusals of each turn of the event loop. */
  const turnsOf = async (refusals: Refusals, count: number): Promise<number[][]> => {
    const turns: number[][] = [];
    let turn: number[] = [];
    for (let number = 1; number <= count; number += 1) void refusals.turn().then(() => turn.push(number));
    for (let left = count; left > 0; left -= turn.length) {
      turn = [];
      await turnOfLoop();
      turns.push(turn);
    }
    return turns;
  };

  it('come eight in a turn of the event loop, in their order', async () => {
    expect(await turnsOf(new Refusals(), 20)).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13, 14, 15, 16],
      [17, 18, 19, 20],
    ]);
  });

  it('do not wait for those of a turn before', async () => {
    const refusals = new Refusals();
    expect(await turnsOf(refusals, 1)).toEqual([[1]]);
    expect(await turnsOf(refusals, 2)).toEqual([[1, 2]]);
  });
});
