import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Transformer } from 'node:stream/web';
import type { Agent } from 'undici';
import { isPrivateAddress, namesPrivateHost } from '../../../platform/http/private-address';
import type { ProviderAccess } from '../../../platform/runtime-config/runtime-configuration';

/**
 * Returns a fetch for a provider without an SDK, with the limits of the built-in ones: answers of at most 8 MB,
 * no redirects, and, if the address must be public, no connection into a private network. The provider converts
 * errors into an `AiFailure`: `connection` if the promise rejects, `statusFailure` for an error status.
 */
export function providerFetch({ mustBePublic }: Pick<ProviderAccess, 'mustBePublic'>): typeof fetch {
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (mustBePublic && namesPrivateHost(address)) {
      return Promise.reject(new TypeError('The address leads into a private network'));
    }
    const dispatcher = mustBePublic && { dispatcher: publicNetwork() as never };
    return boundedFetch(input, { ...init, ...dispatcher, redirect: 'manual' });
  };
}

/** Maximum size of a provider's decoded answer, in bytes. Usable answers are much shorter. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Bytes added to the count for each line and each network chunk, because each costs time and memory. */
export const BYTES_PER_LINE = 64;

/** Thrown if a provider's answer exceeds `MAX_ANSWER_BYTES`. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * The runtime's fetch, for the SDKs. It requests uncompressed answers, although a server may ignore
 * that. An answer longer than `MAX_ANSWER_BYTES` is aborted and its connection is closed.
 * @throws AnswerTooLong while the body is read
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
/** Matches an event without data. Some gateways send such events as keep-alives, and the SDKs fail on them. */
const WITHOUT_DATA = /^(?:(?:data:[ \t]*|(?:event|id|retry):[^\r\n]*)(?:\r\n?|\n))+[\r\n]*$/;
/** Line ends that terminate an event of a stream. */
const EVENT_ENDS = ['\n\n', '\r\r', '\r\n\r\n'];

/**
 * Passes a body on in chunks of one complete event each and drops events without data (JSON bodies
 * only lose white space). The SDKs copy and search their entire buffer for every chunk, so a line
 * that arrives byte by byte, or many events in one chunk, would take quadratic time.
 */
class BoundedEvents implements Transformer<Uint8Array, Uint8Array> {
  private counted = 0;
  private pending: Uint8Array[] = [];
  private hasContent = false;
  /** The most recent line ends, with no other character between them. */
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

/** Yields the positions of `\n` and `\r`. */
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

/** Resolves a host name once for each connection, so the address that is checked is the one that is used. */
export const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new Error('The name leads into a private network'), []);
    }
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    return callback(null, first!.address, first!.family);
  });

let agent: Agent | undefined;

/** Returns an agent that connects host names to the public internet only. The caller checks numeric addresses. */
export function publicNetwork(): Agent {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if the setting requires it
  const { Agent: UndiciAgent } = require('undici') as typeof import('undici');
  agent ??= new UndiciAgent({ connect: { lookup: publicLookup } });
  return agent;
}
