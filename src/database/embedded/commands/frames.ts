/** A length of 4 bytes, and a letter. */
const HEAD_BYTES = 5;

/** A piece of what a command and the service say to each other; the letters are in `letters.ts`. */
export interface Frame {
  readonly letter: string;
  readonly body: Buffer;
}

/** In parts, so that what is large is not copied. */
export function frameOf(letter: string, body: Uint8Array | object = Buffer.alloc(0)): Uint8Array[] {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(HEAD_BYTES, letter, 'latin1');
  head.writeUInt32BE(bytes.byteLength);
  return [head, bytes];
}

/**
 * What a frame says of itself.
 * @throws SyntaxError, TypeError where it is no object
 */
export function contentOf(body: Buffer): Record<string, unknown> {
  const content: unknown = JSON.parse(body.toString('utf8'));
  if (typeof content !== 'object' || content === null) throw new TypeError('no object');
  return content as Record<string, unknown>;
}

/** Cuts what comes on a connection into frames. It holds no more than one frame and a piece. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private size = 0;

  /** @param most bytes in the body of a frame */
  constructor(public most: number) {}

  /**
   * Calls `take` for each frame that is complete now.
   * @throws RangeError where a frame says that it is larger than it may be
   */
  read(piece: Buffer, take: (frame: Frame) => void): void {
    this.pieces.push(piece);
    this.size += piece.length;
    for (;;) {
      if (this.size < HEAD_BYTES) return;
      const head = this.joined(HEAD_BYTES);
      const length = head.readUInt32BE(0);
      if (length > this.most) throw new RangeError(`a frame of ${length} bytes`);
      const end = HEAD_BYTES + length;
      if (this.size < end) return;
      const bytes = this.joined(end);
      this.pieces = bytes.length > end ? [bytes.subarray(end)] : [];
      this.size -= end;
      take({ letter: String.fromCharCode(bytes[4]!), body: bytes.subarray(HEAD_BYTES, end) });
    }
  }

  /** The first piece, which has at least so many bytes then. */
  private joined(least: number): Buffer {
    if (this.pieces[0]!.length < least) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0]!;
  }
}
