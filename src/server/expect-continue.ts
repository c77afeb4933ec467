import type { IncomingMessage, Server } from 'node:http';

const ASK = Symbol('asks for the body');
type Asking = IncomingMessage & { [ASK]?: () => void };

/**
 * A client that says `Expect: 100-continue` sends its body when it is told to. Node tells it at once, before
 * anybody has looked at the request; here it is told when the body is read, so that a refusal by the head
 * alone (429, 401, 413, 415) is all that it gets.
 */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: Asking, response) => {
    request[ASK] = () => response.writeContinue();
    server.emit('request', request, response);
  });
  // Any other expectation is ignored, as RFC 9110 allows.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Called before a body is read. */
export const askForBody = (request: Asking): void => request[ASK]?.();
