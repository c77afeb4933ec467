import type { Request } from 'express';
import { hasLargeBody } from './heavy.decorator';

describe('a large body', () => {
  it.each([
    [{ 'content-length': '8192' }, false],
    [{ 'content-length': '8193' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
  ])('is one of more than 8 KB, or of a size that is not told: %j', (headers, expected) => {
    expect(hasLargeBody({ headers } as Request)).toBe(expected);
  });
});
