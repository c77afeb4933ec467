import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Message } from '../texts/define-texts';
import { ERROR_CODE_HEADER, render, text } from '../texts/text';
import type { Answers } from './answers';
import { pendingResponse } from './connection-limits';
import { REQUEST_ID_HEADER } from './prepare-answer';

/** Answers to errors of Node's HTTP parser, by error code. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: Message]>> = {
  // Most often an address with unencoded characters, such as curl's `?search=甘油`.
  HPE_INVALID_URL: [400, text('request.unencoded-address')],
  HPE_HEADER_OVERFLOW: [431, text('request.headers-too-large')],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, text('body.too-large')],
  ERR_HTTP_REQUEST_TIMEOUT: [408, text('request.timeout')],
};

const refusalOf = (code = '') => REFUSALS[code] ?? ([400, text('request.malformed')] as const);

/**
 * Returns the complete HTTP answer to a request that Node's parser gave up on. It is in the contract's language,
 * because the request's headers are not known.
 */
export function refusalText(code: string | undefined, requestId: string): string {
  const [status, message] = refusalOf(code);
  const body = JSON.stringify({ error: render(message), statusCode: status });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${ERROR_CODE_HEADER}: ${message.code}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

/** Answers input that is not HTTP with the contract's error body instead of Node's bare status line. */
export function answerClientErrors(server: Server, answers: Pick<Answers, 'refused'>): void {
  const waiting = new WeakSet<Socket>();
  const refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The connection was refused already. Further input is discarded until the timeout below.
    if (socket.writableEnded || waiting.has(socket)) return;
    const pending = pendingResponse(socket);
    // The answer to the previous, complete request is sent first.
    if (socket.writable && pending?.req.complete) {
      waiting.add(socket);
      pending.once('close', () => {
        waiting.delete(socket);
        refuse(error, socket);
      });
      return;
    }
    // The client has disconnected, or would read the refusal as a part of an answer.
    if (!socket.writable || pending?.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const refusal = refusalText(error.code, requestId);
    socket.end(refusal);
    // For a client that does not close the connection itself.
    setTimeout(() => socket.destroy(), 2000).unref();
    // A request with a broken body is reported when its own response ends.
    if (pending) return;
    const [status, message] = refusalOf(error.code);
    answers.refused(requestId, status, message.code, Buffer.byteLength(refusal));
  };
  server.on('clientError', refuse);
}
