import { RowChecksum } from './row-checksum';

const sumOf = (...rows: string[]) => {
  const sum = new RowChecksum();
  sum.add(rows);
  return sum.result;
};

describe('RowChecksum', () => {
  it('is the first 64 bits of the MD5 as a number with a sign, as PostgreSQL casts bits to bigint', () => {
    expect(sumOf()).toEqual({ rows: 0, checksum: '0' });
    // md5('a') is 0cc175b9c0f1b6a8…, md5('b') is 92eb5ffee6ae2fec…
    expect(sumOf('a')).toEqual({ rows: 1, checksum: String(0x0cc175b9c0f1b6a8n) });
    expect(sumOf('b')).toEqual({ rows: 1, checksum: String(BigInt.asIntN(64, 0x92eb5ffee6ae2fecn)) });
  });

  it('knows no order and no pieces, but each row as often as it is there', () => {
    const pieces = new RowChecksum();
    pieces.add(['b']);
    pieces.add(['中', 'a']);
    expect(pieces.result).toEqual(sumOf('a', 'b', '中'));
    expect(sumOf('a', 'a', 'b')).not.toEqual(sumOf('a', 'b', 'b'));
    expect(sumOf('a', 'b').checksum).not.toBe(sumOf('ab').checksum);
  });

  it('outgrows 64 bits without losing one, as a sum of numeric does', () => {
    const rows = Array.from({ length: 3 }, () => 'b');
    expect(BigInt(sumOf(...rows).checksum)).toBe(3n * BigInt.asIntN(64, 0x92eb5ffee6ae2fecn));
    expect(BigInt(sumOf(...rows).checksum)).toBeLessThan(-(2n ** 63n));
  });
});
