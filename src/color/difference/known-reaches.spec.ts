import { KnownReaches } from './known-reaches';

const here = { L: 50, a: 10, b: 10 };
const near = { L: 63.9, a: 15.9, b: 0 };
// Regions are 16 units wide, from 0 on.
const elsewhere = [
  { L: 50, a: 16, b: 10 },
  { L: 50, a: 10, b: -0.1 },
  { L: 64, a: 10, b: 10 },
];

describe('KnownReaches', () => {
  let reaches: KnownReaches;
  beforeEach(() => {
    reaches = new KnownReaches();
  });

  it('know nothing before a search', () => {
    expect(reaches.get(here, 5)).toBeUndefined();
  });

  it('look a fifth farther than the last search around there', () => {
    reaches.add(here, 5, 2, 3, true);
    expect(reaches.get(near, 5)).toEqual({ limit: 2.4, level: 3 });
  });

  it('are of one region and one number of colours', () => {
    reaches.add(here, 5, 2, 3, true);
    for (const place of elsewhere) expect(reaches.get(place, 5)).toBeUndefined();
    expect(reaches.get(here, 6)).toBeUndefined();
  });

  it('follow a mean, and take the level of the last search', () => {
    reaches.add(here, 5, 2, 3, true);
    reaches.add(here, 5, 4, 2, true);
    // 2 + (4 − 2) / 4 = 2.5
    expect(reaches.get(here, 5)).toEqual({ limit: 3, level: 2 });
    reaches.add(here, 5, 1.3, 2, true);
    // 2.5 − 1.2 / 4 = 2.2
    expect(reaches.get(here, 5)!.limit).toBeCloseTo(2.64, 10);
  });

  it('are at once what is no chance', () => {
    reaches.add(here, 5, 2, 3, true);
    reaches.add(here, 5, 0.9, 3, true);
    expect(reaches.get(here, 5)!.limit).toBeCloseTo(1.08, 10);
    reaches.add(here, 5, 1.9, 3, false);
    expect(reaches.get(here, 5)!.limit).toBeCloseTo(2.28, 10);
  });

  it('say nothing where there was no k-th colour', () => {
    reaches.add(here, 5, Infinity, 3, false);
    expect(reaches.get(here, 5)).toBeUndefined();
    reaches.add(here, 5, 2, 3, true);
    reaches.add(here, 5, Infinity, 1, false);
    expect(reaches.get(here, 5)).toEqual({ limit: 2.4, level: 3 });
  });

  describe('where they mislead', () => {
    const HELPED = true;
    const MISLED = false;
    const tell = (...outcomes: boolean[]) => {
      reaches.add(here, 5, 2, 3, MISLED);
      for (const wasHelped of outcomes) reaches.add(here, 5, 2, 3, wasHelped);
      return reaches.get(here, 5) !== undefined;
    };

    it.each([
      ['three searches', [MISLED, MISLED, MISLED], true],
      ['four', [MISLED, MISLED, MISLED, MISLED], false],
      ['four, and helped one', [MISLED, HELPED, MISLED, MISLED, MISLED], true],
      ['five, and helped one', [MISLED, HELPED, MISLED, MISLED, MISLED, MISLED], false],
      [
        'four, and helped many before',
        [...Array<boolean>(20).fill(HELPED), ...Array<boolean>(4).fill(MISLED)],
        false,
      ],
    ])('%s, they are asked or not', (_, outcomes, isAsked) => {
      expect(tell(...outcomes)).toBe(isAsked);
    });

    it('what lies otherwise counts as well', () => {
      for (const kth of [81, 27, 9, 3]) reaches.add(here, 5, kth, 3, HELPED);
      expect(reaches.get(here, 5)).toBeDefined();
      reaches.add(here, 5, 1, 3, HELPED);
      expect(reaches.get(here, 5)).toBeUndefined();
    });

    it('they are asked again when they are told anew', () => {
      expect(tell(MISLED, MISLED, MISLED, MISLED)).toBe(false);
      reaches.add(here, 5, 2, 3, MISLED);
      for (let use = 1; use < 65; use++) expect(reaches.get(here, 5)).toBeUndefined();
      reaches.add(here, 5, 3, 2, MISLED);
      expect(reaches.get(here, 5)!.limit).toBeCloseTo(3.6, 10);
    });
  });

  it('are told anew after 64 uses', () => {
    reaches.add(here, 5, 2, 3, true);
    for (let use = 0; use < 64; use++) expect(reaches.get(here, 5)).toBeDefined();
    expect(reaches.get(here, 5)).toBeUndefined();
    expect(reaches.get(here, 5)).toBeUndefined();
    reaches.add(here, 5, 1, 2, true);
    expect(reaches.get(here, 5)).toEqual({ limit: 1.2, level: 2 });
  });

  it('are of a bounded number, then all are forgotten', () => {
    for (let k = 1; k <= 4096; k++) reaches.add(here, k, 2, 3, true);
    expect(reaches.get(here, 1)).toBeDefined();
    expect(reaches.get(here, 4096)).toBeDefined();
    reaches.add(here, 4096, 2, 3, true);
    expect(reaches.get(here, 1)).toBeDefined();
    reaches.add(here, 4097, 2, 3, true);
    expect(reaches.get(here, 1)).toBeUndefined();
    expect(reaches.get(here, 4097)).toBeDefined();
  });
});
