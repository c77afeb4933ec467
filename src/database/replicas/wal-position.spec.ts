import fc from 'fast-check';
import { holds, positionIn, positionOf, textOf, type WalPosition } from './wal-position';

const position: fc.Arbitrary<WalPosition> = fc.record({
  timeline: fc.integer({ min: 1, max: 0xffffffff }),
  lsn: fc.bigInt({ min: 0n, max: 0xffffffffffffffffn }),
});

const hex = (value: bigint | number) => value.toString(16).toUpperCase();
/** As PostgreSQL writes it. */
const row = ({ timeline, lsn }: WalPosition) => ({
  lsn: `${hex(lsn >> 32n)}/${hex(lsn & 0xffffffffn)}`,
  timeline: hex(timeline),
});

describe('a position in the log', () => {
  it.each([
    [
      { lsn: '0/1D75148', timeline: '00000001' },
      { timeline: 1, lsn: 0x1d75148n },
    ],
    [
      { lsn: '1/0', timeline: 'A' },
      { timeline: 10, lsn: 0x100000000n },
    ],
  ])('%p is read', (given, read) => expect(positionIn(given)).toEqual(read));

  it.each([
    { lsn: null, timeline: '1' },
    { lsn: '0/1', timeline: null },
    { lsn: '01', timeline: '1' },
  ])('there is none in %p', (given) => expect(() => positionIn(given)).toThrow('says no position'));

  it('is read as PostgreSQL writes it, and comes back from its text', () => {
    fc.assert(
      fc.property(position, (one) => {
        expect(positionIn(row(one))).toEqual(one);
        expect(positionOf(textOf(one))).toEqual(one);
      }),
    );
  });

  it('as a text is greater than an earlier one of the same timeline, and than any of an earlier one', () => {
    fc.assert(
      fc.property(position, position, (one, other) => {
        const isLater =
          one.timeline > other.timeline || (one.timeline === other.timeline && one.lsn > other.lsn);
        expect(textOf(one) > textOf(other)).toBe(isLater);
      }),
    );
  });

  it('is held by who has replayed it, never by who has replayed less', () => {
    fc.assert(
      fc.property(position, position, (replayed, wanted) => {
        expect(holds(replayed, replayed)).toBe(true);
        const isLess = replayed.lsn < wanted.lsn || replayed.timeline < wanted.timeline;
        expect(holds(replayed, wanted)).toBe(!isLess);
      }),
    );
  });

  it('of a timeline that has ended is not taken for one of the next', () => {
    // The standby goes on with the old primary's log; the new one has written less by now.
    expect(holds({ timeline: 1, lsn: 500n }, { timeline: 2, lsn: 490n })).toBe(false);
  });

  it.each(['', 'x', '0000000100000000000000', `${'0'.repeat(24)}0`, '00000001 0000000000001f'])(
    'is not %p',
    (text) => expect(positionOf(text)).toBeUndefined(),
  );
});
