import { type ServerResponse } from 'node:http';
import { type AskedBody, type WireProtocol } from './protocol';

/** One request in the hands of a fake. */
export interface Exchange {
  readonly asked: AskedBody;
  readonly response: ServerResponse;
  readonly protocol: WireProtocol;
}

/** What a fake does with a request. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

export interface AnswerOptions {
  /** Tokens that the answer says it has cost. */
  readonly tokens?: number;
  /** Characters in one piece of a stream. */
  readonly pieceSize?: number;
  /** Awaited before each piece: `number` is how many have been sent. */
  readonly beforePiece?: (number: number) => Promise<void> | void;
  /** Only so many pieces are sent; what happens then is `then`. */
  readonly pieces?: number;
  readonly then?: 'reset' | 'hang' | 'end' | 'error';
  /** What the error event says where `then` is `error`. */
  readonly message?: string;
  /** Answers with one JSON body even where a stream was asked for. */
  readonly plain?: boolean;
  /** Fields of the JSON body that are others than the protocol's. */
  readonly body?: object;
}

/** A good answer, streamed where the client wants a stream. An object is sent as its JSON. */
export function answers(value: unknown, options: AnswerOptions = {}): Behaviour {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const tokens = options.tokens ?? 7;
  return async ({ asked, response, protocol }) => {
    if (!asked.stream || options.plain) {
      const body = protocol.completion(asked, text, tokens) as object;
      return json(response, 200, { ...body, ...options.body });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of protocol.streamStart(asked, tokens)) response.write(event);
    const size = options.pieceSize ?? 40;
    const last = options.pieces ?? Infinity;
    for (let at = 0, sent = 0; at < text.length && sent < last; at += size, sent++) {
      await options.beforePiece?.(sent);
      if (response.destroyed) return;
      response.write(protocol.streamPiece(asked, text.slice(at, at + size)));
    }
    if (options.then === 'hang') return;
    // What has been written must be on its way before the connection goes.
    if (options.then === 'reset') return void setTimeout(() => response.destroy(), 20);
    if (options.then === 'error')
      response.write(protocol.streamError(options.message ?? 'the fake broke off'));
    if (options.then === undefined)
      for (const event of protocol.streamEnd(asked, tokens)) response.write(event);
    response.end();
  };
}

/** An HTTP error in the protocol's own form. */
export function fails(
  status: number,
  { message = 'the fake refuses', headers = {} }: { message?: string; headers?: Record<string, string> } = {},
): Behaviour {
  return ({ response, protocol }) => json(response, status, protocol.error(status, message), headers);
}

/** Takes the request and says nothing. */
export const hangs: Behaviour = () => undefined;

/** Closes the connection without an answer. */
export const resets: Behaviour = ({ response }) => void response.socket?.destroy();

/** A body that is not what its type says. */
export const garbage: Behaviour = ({ asked, response }) => {
  response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' });
  response.end(asked.stream ? 'event: x\ndata: {"type": "half\n\n' : '{"choices": [{');
};

/** A body that comes in small pieces without end; `beforePiece` is awaited before each. */
export function drips(beforePiece: (number: number) => Promise<void>): Behaviour {
  return async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let sent = 0; !response.destroyed; sent++) {
      response.write(' ');
      await beforePiece(sent);
    }
  };
}

/** A web page where an API was expected. */
export const webPage: Behaviour = page(200, 'Welcome');

/** A web page, as a proxy in between answers it. */
export function page(status: number, title: string): Behaviour {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${title}</title>`);
  };
}

/** Refuses every way of structured output but the named ones, as servers do that do not know a parameter. */
export function speaksOnly(formats: readonly string[], otherwise: Behaviour): Behaviour {
  return (exchange) =>
    formats.includes(exchange.protocol.formatOf(exchange.asked))
      ? otherwise(exchange)
      : fails(400, { message: 'Unknown parameter' })(exchange);
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
