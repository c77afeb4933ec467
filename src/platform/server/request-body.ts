import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { InvalidInputError, ServiceError } from '../common/errors/service-error';
import { holdsTooManyValues, TOO_MANY_VALUES } from '../http/request-content';
import { type Text, text } from '../texts/text';

export const JSON_TYPE = 'application/json';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Absent: the timeout of all requests applies. */
  readonly timeoutMs?: number;
}

/** The service refuses to read the body: 408, 413 or 415. */
export class BodyError extends ServiceError {
  override readonly name = 'BodyError';
  constructor(
    readonly status: number,
    message: Text,
    override readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const tooLarge = () => new BodyError(413, text('body.too-large'));
const tooSlow = () => new BodyError(408, text('request.timeout'), { Connection: 'close' });
const unsupportedEncoding = () => new BodyError(415, text('body.unsupported-encoding'));
const malformed = () => new InvalidInputError(text('body.malformed'));

/** Returns true for an empty body too, because its content type and encoding are still checked. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

const continues = new WeakMap<IncomingMessage, () => void>();

/**
 * A client that sends `Expect: 100-continue` gets its 100 when the service begins to read the body. If the service
 * refuses the request by its head (429, 401, 413, 415), the client gets only that answer and sends no body.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  continues.set(request, () => response.writeContinue());
}

/** Sends 100 to a client that waits for it before it sends the body. */
export const continueReading = (request: IncomingMessage): void => continues.get(request)?.();

/** @throws BodyError 415 for a compressed body */
export function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw unsupportedEncoding();
}

/** Returns the media type of the body, in lower case, and its charset if the header names one. */
export function contentTypeOf({ headers }: IncomingMessage): { type: string; charset?: string } {
  const [type = '', parameters = ''] = (headers['content-type'] ?? '').toLowerCase().split(/;(.*)/s);
  return { type: type.trim(), charset: /\bcharset\s*=\s*"?([^\s";]*)/.exec(parameters)?.[1] };
}

export const isJson = (request: IncomingMessage): boolean => contentTypeOf(request).type === JSON_TYPE;

/**
 * Reads and parses the JSON in a request's body; undefined if there is none. The rest of a body that is too large
 * stays unread.
 * @throws BodyError, InvalidInputError
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  refuseEncoding(request);
  const announced = Number(request.headers['content-length']);
  const { type, charset } = contentTypeOf(request);
  if (type !== JSON_TYPE) {
    if (announced === 0) return undefined;
    throw new BodyError(415, text('body.not-json'));
  }
  const decoder = decoderOf(charset);
  if (announced > limits.maxBytes) throw tooLarge();
  continueReading(request);
  const bytes = await readBytes(request, limits);
  const json = decoder.decode(bytes);
  if (json === '') return {};
  if (holdsTooManyValues(json)) throw InvalidInputError.of([TOO_MANY_VALUES]);
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw malformed();
  }
}

/** JSON is Unicode: UTF-8, unless the content type names another UTF charset. */
function decoderOf(charset = 'utf-8'): TextDecoder {
  if (!charset.startsWith('utf-')) throw unsupportedEncoding();
  try {
    return new TextDecoder(charset);
  } catch {
    throw unsupportedEncoding();
  }
}

function readBytes(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      request.pause();
      settle(() => reject(tooLarge()));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, length)));
    // The client has disconnected, so nobody reads this answer.
    const onAbort = () => settle(() => reject(malformed()));
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => settle(() => reject(tooSlow())), timeoutMs);
    request.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort);
    if (request.destroyed && !request.readableEnded) onAbort();
  });
}

/** Limits for discarding an unread body: its bytes, and the time in which they must arrive. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
/**
 * Discards the rest of a body that no handler has read, so that a client that sends everything before it reads
 * still gets its answer. Node itself discards without a limit, and resets a connection that it closes while data
 * arrives: the client would lose the answer.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  // Ask the client not to reuse the connection, because the rest of the body will not be read.
  if (Number(request.headers['content-length']) > MAX_DISCARDED_BYTES)
    response.setHeader('Connection', 'close');
  // The socket has the complete answer, and Node has not yet closed the connection.
  response.once('prefinish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    let bytes = 0;
    let isClosing = false;
    /** Closes our side of the connection after the answer and leaves the client's side open. */
    const endOurSide = () => {
      isClosing = true;
      socket.end();
    };
    socket.destroySoon = endOurSide;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_DISCARDED_BYTES) return;
      request.pause();
      endOurSide();
    };
    let timer: NodeJS.Timeout | undefined;
    response.once('finish', () => (timer = setTimeout(() => socket.destroy(), 5000).unref()));
    request.on('data', count).once('close', () => {
      clearTimeout(timer);
      Reflect.deleteProperty(socket, 'destroySoon');
      if (isClosing) socket.destroySoon();
    });
    request.resume();
  });
}
