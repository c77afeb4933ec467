import { hasLargeBody, searchesOrReadsDeep } from './heavy-requests';

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
    [{ page: 1 }, false],
    [{ page: 10 }, false],
    [{ page: 11 }, true],
    [{ page: 1, search: '' }, false],
    [{ page: 1, search: '油' }, true],
  ])('is heavy when it is searched or read beyond its tenth page: %j', (query, expected) => {
    expect(searchesOrReadsDeep({ limit: 20, ...query })).toBe(expected);
  });
});
