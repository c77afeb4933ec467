import { Pace } from './pace';

/** A pace after turns of so many milliseconds each. */
function paceAfter(...turns: number[]): Pace {
  const pace = new Pace();
  for (const ms of turns) pace.took(ms);
  return pace;
}

const many = (count: number, ms: number): number[] => Array<number>(count).fill(ms);

describe('the pace of work', () => {
  it('is not quick before it has shown so', () => {
    expect(new Pace().isQuick).toBe(false);
    expect(paceAfter(...many(10, 0)).isQuick).toBe(false);
    expect(paceAfter(...many(11, 0)).isQuick).toBe(true);
  });

  it('is quick up to 5 ms on average', () => {
    expect(paceAfter(...many(1000, 4.9)).isQuick).toBe(true);
    expect(paceAfter(...many(1000, 5.1)).isQuick).toBe(false);
  });

  it('is not quick after one long turn, until as many short ones have outweighed it', () => {
    const quick = many(1000, 1);
    expect(paceAfter(...quick, 64).isQuick).toBe(true);
    expect(paceAfter(...quick, 66).isQuick).toBe(false);
    expect(paceAfter(...quick, 1000, ...many(42, 1)).isQuick).toBe(false);
    expect(paceAfter(...quick, 1000, ...many(43, 1)).isQuick).toBe(true);
  });
});
