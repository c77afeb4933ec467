import { rankCandidates } from './rank-candidates';

const candidate = (id: string, matched: number) => ({ id, matched });

describe('rankCandidates', () => {
  it('more matches first, then likeness, then their own order; without an embedding last', () => {
    const candidates = [
      candidate('x', 1),
      candidate('y', 1),
      candidate('a', 2),
      candidate('b', 1),
      candidate('c', 1),
    ];
    const similarities = new Map([
      ['b', 0.1],
      ['c', 0.9],
      ['a', -1],
    ]);
    expect(rankCandidates(candidates.slice(3), new Map([['c', -0.5]])).map(({ id }) => id)).toEqual([
      'c',
      'b',
    ]);
    expect(rankCandidates(candidates, similarities).map(({ id }) => id)).toEqual(['a', 'c', 'b', 'x', 'y']);
  });
});
