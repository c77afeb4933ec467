import { hasLargeBody, heavyKindOfList } from './heavy-requests';

describe('a large body', () => {
  it.each([
    [{ 'content-length': '8192' }, false],
    [{ 'content-length': '8193' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
  ])('is one of more than 8 KB, or of a size that is not told: %j', (headers, expected) => {
    expect(hasLargeBody({ headers })).toBe(expected);
  });
});

describe('a list', () => {
  it.each([
    [{}, undefined],
    [{ page: 10 }, undefined],
    [{ page: 11 }, 'catalogue'],
    [{ search: '' }, undefined],
    [{ search: '油' }, 'catalogue'],
    [{ limit: 20 }, undefined],
    [{ limit: 21 }, 'catalogue'],
    [{ limit: 21, search: '油' }, 'catalogue'],
    [{ limit: 21, page: 11 }, 'catalogue'],
  ])('is heavy when it is searched, read beyond its tenth page, or has long pages: %j', (query, expected) => {
    expect(heavyKindOfList({ page: 1, limit: 20, ...query }, 'catalogue')).toBe(expected);
  });

  it('is the kind of search that it is of, and else reading', () => {
    expect(heavyKindOfList({ page: 1, limit: 21, search: 'x' }, 'search')).toBe('search');
    expect(heavyKindOfList({ page: 1, limit: 21 }, 'search')).toBe('reading');
    expect(heavyKindOfList({ page: 1, limit: 20 }, 'search')).toBeUndefined();
  });
});
