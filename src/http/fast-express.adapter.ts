import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, Response } from 'express';
import { markHandled } from '../common/http/answer-closed';

/**
 * Nest's Express adapter over a server that makes requests and responses with Express's prototypes.
 *
 * Express exchanges the prototypes of every request and response (`Object.setPrototypeOf`). For V8 an object
 * whose prototype changes is a stranger: property caches miss in all of `node:http`, and everything the
 * request allocated outlives the young generation. Where the prototype is already the one to set, nothing
 * changes and nothing is lost: two to three times as many requests per second for a handler that does
 * nothing.
 */
export class FastExpressAdapter extends ExpressAdapter {
  override initHttpServer(options?: NestApplicationOptions): void {
    // What Nest does with these is its own; the service uses neither.
    if (options?.httpsOptions || options?.forceCloseConnections) return super.initHttpServer(options);
    const application = this.getInstance<Application & { request: object; response: object }>();
    const classes = {
      IncomingMessage: withPrototype(IncomingMessage, application.request),
      ServerResponse: withPrototype(ServerResponse, application.response),
    };
    this.setHttpServer(createServer(classes, application));
  }

  /**
   * Text of a type that is set goes out as it is. Express would parse and write the type again, copy the text
   * into a buffer, and see whether a conditional request has the answer already: where one asks, it still
   * does.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    markHandled(response, body instanceof StreamableFile);
    const status = statusCode ?? response.statusCode;
    if (typeof body !== 'string' || !isPlain(response, status))
      return super.reply(response, body, statusCode);
    response.statusCode = status;
    return response.end(body);
  }
}

/** An answer with a body and a type, to a request without conditions. */
function isPlain(response: Response, status: number): boolean {
  const { headers, method } = response.req;
  const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
  const hasBody = (status === 200 || status === 201) && method !== 'HEAD';
  return hasBody && !isConditional && response.hasHeader('Content-Type');
}

type Constructor = typeof IncomingMessage | typeof ServerResponse;

/** A constructor like `Base` whose objects have exactly `prototype`, which inherits from `Base.prototype`. */
function withPrototype<Base extends Constructor>(Base: Base, prototype: object): Base {
  // Node's are constructor functions, not classes: they can be called on an object made here.
  const construct = Base as unknown as (this: object, first: unknown, second: unknown) => void;
  function WithPrototype(this: object, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  WithPrototype.prototype = prototype;
  return WithPrototype as unknown as Base;
}
