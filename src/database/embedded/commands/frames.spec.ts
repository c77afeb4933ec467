import { contentOf, FrameReader, frameOf } from './frames';

const bytesOf = (letter: string, body?: Uint8Array | object) => Buffer.concat(frameOf(letter, body));

describe('FrameReader', () => {
  const all = Buffer.concat([
    bytesOf('a'),
    bytesOf('b', { client: 7 }),
    bytesOf('c', Buffer.from([0, 1, 255])),
    bytesOf('d', Buffer.alloc(1000, 'x')),
  ]);

  it.each([1, 2, 3, 4, 5, 6, 7, 100, 10_000])('finds the frames in pieces of %i bytes', (size) => {
    const reader = new FrameReader(1000);
    const found: [string, number][] = [];
    for (let at = 0; at < all.length; at += size) {
      reader.read(all.subarray(at, at + size), ({ letter, body }) => {
        found.push([letter, body.length]);
        if (letter === 'b') expect(contentOf(body)).toEqual({ client: 7 });
        if (letter === 'c') expect([...body]).toEqual([0, 1, 255]);
      });
    }
    expect(found).toEqual([
      ['a', 0],
      ['b', 12],
      ['c', 3],
      ['d', 1000],
    ]);
  });

  it('refuses a frame at its first bytes that is larger than it may be', () => {
    const reader = new FrameReader(1000);
    const take = jest.fn();
    const large = bytesOf('a', Buffer.alloc(1001));
    expect(() => reader.read(large.subarray(0, 5), take)).toThrow(RangeError);
    expect(take).not.toHaveBeenCalled();
  });

  it.each(['null', '1', '{', ''])('takes %p for no content', (text) => {
    expect(() => contentOf(Buffer.from(text))).toThrow();
  });
});
