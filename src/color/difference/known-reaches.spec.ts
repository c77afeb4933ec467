import { KnownReaches } from './known-reaches';

const here = { L: 50, a: 10, b: 10 };
const near = { L: 53, a: 12, b: 9 };
const elsewhere = { L: 50, a: 40, b: 10 };

describe('KnownReaches', () => {
  let reaches: KnownReaches;
  beforeEach(() => {
    reaches = new KnownReaches();
  });

  it('know nothing before a search', () => {
    expect(reaches.get(here, 5)).toBeUndefined();
  });

  it('look a fifth farther than the last search around there', () => {
    reaches.add(here, 5, 2, 3);
    expect(reaches.get(near, 5)).toEqual({ limit: 2.4, level: 3 });
  });

  it('are of one region and one number of colours', () => {
    reaches.add(here, 5, 2, 3);
    expect(reaches.get(elsewhere, 5)).toBeUndefined();
    expect(reaches.get(here, 6)).toBeUndefined();
  });

  it('follow a mean, and take the level of the last search', () => {
    reaches.add(here, 5, 2, 3);
    reaches.add(here, 5, 4, 2);
    // 2 + (4 − 2) / 4 = 2.5
    expect(reaches.get(here, 5)).toEqual({ limit: 3, level: 2 });
    reaches.add(here, 5, 1.3, 2);
    // 2.5 − 1.2 / 4 = 2.2
    expect(reaches.get(here, 5)!.limit).toBeCloseTo(2.64, 10);
  });

  it('are at once what a crowd of colours says', () => {
    reaches.add(here, 5, 2, 3);
    reaches.add(here, 5, 0.9, 3);
    expect(reaches.get(here, 5)!.limit).toBeCloseTo(1.08, 10);
  });

  it('are told anew after 64 uses', () => {
    reaches.add(here, 5, 2, 3);
    for (let use = 0; use < 64; use++) expect(reaches.get(here, 5)).toBeDefined();
    expect(reaches.get(here, 5)).toBeUndefined();
    expect(reaches.get(here, 5)).toBeUndefined();
    reaches.add(here, 5, 1, 2);
    expect(reaches.get(here, 5)).toEqual({ limit: 1.2, level: 2 });
  });

  it('are of a bounded number, then all are forgotten', () => {
    for (let k = 1; k <= 4096; k++) reaches.add(here, k, 2, 3);
    expect(reaches.get(here, 1)).toBeDefined();
    expect(reaches.get(here, 4096)).toBeDefined();
    reaches.add(here, 4096, 2, 3);
    expect(reaches.get(here, 1)).toBeDefined();
    reaches.add(here, 4097, 2, 3);
    expect(reaches.get(here, 1)).toBeUndefined();
    expect(reaches.get(here, 4097)).toBeDefined();
  });
});
