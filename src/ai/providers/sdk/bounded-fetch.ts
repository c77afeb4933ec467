import type { Transformer } from 'node:stream/web';

/** Most bytes of a provider's answer, decoded: many times the longest that is usable. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** What each line, and each piece that comes over the wire, counts besides: it takes time and memory. */
export const BYTES_PER_LINE = 64;

/** A provider's answer is longer than any that is usable. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * The runtime's fetch, for the SDKs. It asks for answers that are not compressed (one may be so all the same)
 * and breaks off one that is longer than `MAX_ANSWER_BYTES`, together with its connection.
 * @throws AnswerTooLong where the body is read
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Accept-Encoding', 'identity');
  const response = await fetch(input, { ...init, headers });
  if (!response.body) return response;
  return new Response(response.body.pipeThrough(new TransformStream(new BoundedEvents())), response);
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** An event without data. Some gateways send them to keep a connection open, and SDKs fail on them. */
const WITHOUT_DATA = /^(?:(?:data:[ \t]*|(?:event|id|retry):[^\r\n]*)(?:\r\n?|\n))+[\r\n]*$/;
/** How an event of a stream ends. */
const EVENT_ENDS = ['\n\n', '\r\r', '\r\n\r\n'];

/**
 * Hands a body on in pieces of one event of a stream each, as each is complete; empty ones, which say nothing
 * (in JSON they are white space), are left out. The SDKs copy all they have and look through it whenever a
 * piece comes: of a line that comes byte by byte, or of many events in one piece, that takes the square of
 * its length.
 */
class BoundedEvents implements Transformer<Uint8Array, Uint8Array> {
  private counted = 0;
  private pending: Uint8Array[] = [];
  private hasContent = false;
  /** The line ends that came last, with nothing between them. */
  private lineEnds = '';

  transform(bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
    this.count(bytes.length + BYTES_PER_LINE);
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let start = 0;
    let next = 0;
    for (const end of lineEndsOf(piece)) {
      this.count(BYTES_PER_LINE);
      if (end > next) this.seeContent();
      next = end + 1;
      this.lineEnds += piece[end] === LINE_FEED ? '\n' : '\r';
      if (!EVENT_ENDS.some((ending) => this.lineEnds.endsWith(ending))) continue;
      this.pending.push(piece.subarray(start, next));
      start = next;
      this.flush(controller);
    }
    if (next < piece.length) this.seeContent();
    if (start < piece.length) this.pending.push(piece.subarray(start));
  }

  flush(controller: TransformStreamDefaultController<Uint8Array>): void {
    const event = Buffer.concat(this.hasContent ? this.pending : []);
    if (event.length > 0 && !WITHOUT_DATA.test(event.toString('latin1'))) controller.enqueue(event);
    this.pending = [];
    this.hasContent = false;
    this.lineEnds = '';
  }

  private seeContent(): void {
    this.hasContent = true;
    this.lineEnds = '';
  }

  private count(bytes: number): void {
    this.counted += bytes;
    if (this.counted > MAX_ANSWER_BYTES) throw new AnswerTooLong();
  }
}

/** Where `\n` and `\r` stand. */
function* lineEndsOf(piece: Buffer): Generator<number> {
  let feed = piece.indexOf(LINE_FEED);
  let carriage = piece.indexOf(CARRIAGE_RETURN);
  while (feed >= 0 || carriage >= 0) {
    if (carriage < 0 || (feed >= 0 && feed < carriage)) {
      yield feed;
      feed = piece.indexOf(LINE_FEED, feed + 1);
    } else {
      yield carriage;
      carriage = piece.indexOf(CARRIAGE_RETURN, carriage + 1);
    }
  }
}
