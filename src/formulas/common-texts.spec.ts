import { CommonTexts } from './common-texts';
import type { FormulaListing } from './formula.dto';

const listing = (changes: Partial<FormulaListing> = {}): FormulaListing => ({
  page: 1,
  limit: 20,
  sortBy: 'updatedAt',
  sortOrder: 'desc',
  ...changes,
});

describe('CommonTexts', () => {
  let texts: CommonTexts;
  beforeEach(() => {
    texts = new CommonTexts();
  });

  it('knows none to begin with, and only those that were found', () => {
    texts.found('cream', 9000, 10_000);
    expect(texts.wayOf('gel', listing())).toBeUndefined();
    expect(texts.wayOf('cream', listing())).toBe('texts');
  });

  it.each([
    [10_000, 'texts'],
    [5000, 'texts'],
    [4999, 'index'],
    [1789, 'index'],
    // 4 × 20 × 10 000 / 1788 formulas would be looked at, more than a fourth of 1788.
    [1788, undefined],
    [1000, undefined],
  ])('of 10 000 formulas, %d of which contain it: by %s', (total, way) => {
    texts.found('cream', total, 10_000);
    expect(texts.wayOf('cream', listing())).toBe(way);
  });

  it.each([
    [{ page: 15, limit: 20 }, 'texts'],
    [{ page: 16, limit: 20 }, undefined],
    [{ page: 3, limit: 100 }, 'texts'],
    [{ page: 4, limit: 100 }, undefined],
  ])('looks for no page that costs more than a fourth of counting: %j', (page, way) => {
    texts.found('cream', 5000, 5000);
    expect(texts.wayOf('cream', listing(page))).toBe(way);
  });

  it('forgets a text that has become rare', () => {
    texts.found('cream', 9000, 10_000);
    texts.found('cream', 10, null);
    expect(texts.wayOf('cream', listing())).toBeUndefined();
  });

  it('goes by what was found last', () => {
    texts.found('cream', 9000, 10_000);
    texts.found('cream', 9000, 100_000);
    expect(texts.wayOf('cream', listing())).toBe('index');
  });

  it('looks no more among the first formulas where the page was not, in that order alone', () => {
    texts.found('cream', 9000, 10_000);
    texts.found('gel', 9000, 10_000);
    texts.notAmongFirst('cream', listing());
    texts.found('cream', 9000, 10_000);
    expect(texts.wayOf('cream', listing())).toBeUndefined();
    expect(texts.wayOf('cream', listing({ limit: 10, page: 2 }))).toBeUndefined();
    // What ends before it may be there.
    expect(texts.wayOf('cream', listing({ limit: 19 }))).toBe('texts');
    expect(texts.wayOf('cream', listing({ sortOrder: 'asc' }))).toBe('texts');
    expect(texts.wayOf('cream', listing({ sortBy: 'name' }))).toBe('texts');
    expect(texts.wayOf('gel', listing())).toBe('texts');
  });

  it('does not grow without a bound', () => {
    for (let number = 0; number < 5000; number++) {
      texts.found(`text ${number}`, 9000, 10_000);
      texts.notAmongFirst(`missed ${number}`, listing());
    }
    const known = Array.from({ length: 5000 }, (_, number) => texts.wayOf(`text ${number}`, listing()));
    expect(known.filter(Boolean).length).toBeLessThanOrEqual(1000);
    expect(known.slice(-500).every(Boolean)).toBe(true);
  });
});
