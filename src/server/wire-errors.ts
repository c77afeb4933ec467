import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type CatalogueText, ERROR_CODE_HEADER, inWords, text } from '../common/texts/text';
import type { Answers } from './answers';
import { REQUEST_ID_HEADER } from './request-id';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

const TEXTS: Readonly<Record<number, CatalogueText>> = {
  408: text('request.timeout'),
  413: text('body.too-large'),
  431: text('request.headers-too-large'),
};
const MALFORMED = text('request.malformed');

/** Above all an address with characters as they are typed: curl sends `?search=甘油` so. */
const UNENCODED = text('request.unencoded-address');

/** Node's code of a request that did not arrive in time. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

const STATUSES = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  [TOO_SLOW, 408],
]);

/** How long a request may take to arrive, in milliseconds. */
const ARRIVAL_PATIENCE_MS = 30_000;

function meaningOf(code: string | undefined): { status: number; told: CatalogueText } {
  const status = STATUSES.get(code ?? '') ?? 400;
  return { status, told: code === 'HPE_INVALID_URL' ? UNENCODED : (TEXTS[status] ?? MALFORMED) };
}

/**
 * The whole answer to a request that Node's HTTP parser gave up on, as it goes over the wire. In the
 * contract's words: which language its headers name is not known.
 * @param requestId a new one: a header that could not be read names nothing
 */
export function wireError(code: string | undefined, requestId: string): string {
  const { status, told } = meaningOf(code);
  const body = JSON.stringify({ error: inWords(told), statusCode: status });
  return [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${ERROR_CODE_HEADER}: ${told.code}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

/** How long a client may take to close a connection whose request was refused, in milliseconds. */
const CLOSE_PATIENCE_MS = 2000;

/** Most that still comes in on such a connection, in bytes. */
const MAX_REST = 1024 * 1024;

type Connection = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Requests that are no HTTP, or too long a header, get the contract's error body instead of Node's bare
 * status line, behind the answers to the requests before them.
 */
export function answerWireErrors(server: Server, answers: Pick<Answers, 'refused'>): void {
  // A body may be announced and never come: until it is there its client has a place.
  server.requestTimeout = ARRIVAL_PATIENCE_MS;
  // It counts from the first byte, as the other: what a connection was idle before belongs to neither.
  server.headersTimeout = ARRIVAL_PATIENCE_MS;
  /** Connections whose answer is out or on its way, and how many bytes may have come in on them in all. */
  const answered = new WeakMap<Socket, number>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const most = answered.get(socket);
    if (most === undefined) {
      answered.set(socket, socket.bytesRead + MAX_REST);
      // Held up by another answer it is not the fault of its client, who may ask again.
      const isHeldUp = error.code === TOO_SLOW && hasEarlierAnswer(socket);
      afterEarlierAnswers(socket, () => {
        const requestId = randomUUID();
        const text = isHeldUp ? '' : wireError(error.code, requestId);
        // That of a request whose rest was missing: it is told as that one's.
        const isOfRequest = Boolean(socket._httpMessage);
        if (!refuse(socket, text) || isHeldUp || isOfRequest) return;
        const { status, told } = meaningOf(error.code);
        answers.refused(requestId, status, told.code, Buffer.byteLength(text));
      });
    } else if (socket.bytesRead > most) {
      // Less than that is refused with what came before it; to reset the connection would cost the answer.
      socket.destroy();
    }
  });
}

/** Whether a whole request of the connection waits for its answer. */
const hasEarlierAnswer = ({ _httpMessage }: Connection): boolean => _httpMessage?.req.complete === true;

/** Calls back when none does any more. */
function afterEarlierAnswers(socket: Connection, callback: () => void): void {
  if (!hasEarlierAnswer(socket)) return callback();
  socket._httpMessage!.once('close', () => afterEarlierAnswers(socket, callback));
}

/** Closes a connection. @param text that is said before @returns whether it was said */
function refuse(socket: Connection, text: string): boolean {
  // Node is closing it already, behind an answer that said so.
  if (socket.writableEnded) return false;
  // Nobody is there to read it, or an answer is under way that this would be taken for a part of.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return false;
  }
  const timer = setTimeout(() => socket.destroy(), CLOSE_PATIENCE_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(text);
  return true;
}
