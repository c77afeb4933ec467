import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CurrentUser } from '../common/current-user';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { ERROR_CODE_HEADER } from '../common/texts/text';

/** An answer that is over: sent, or given up because its client has gone. */
export interface Answer {
  readonly requestId: string;
  /** Of the trace that is recorded of the request, if any. */
  readonly traceId?: string;
  readonly method: string;
  /** The pattern of its route, `/api/formulas/:id`, never the path that was asked for. */
  readonly route: string;
  /** 499 where the client had gone before there was a status. */
  readonly status: number;
  /** What `X-Error-Code` says. */
  readonly code: string | undefined;
  /** Id of who asked; absent where nobody signed in, or the answer came before that was known. */
  readonly userId: string | undefined;
  readonly seconds: number;
  /** What was sent on the connection, headers included. */
  readonly bytes: number;
  /** False where the client has gone, or the answer was broken off, before its end. */
  readonly isComplete: boolean;
}

/** Of requests that no route takes: their paths are anybody's words. */
export const NO_ROUTE = 'none';

/** Of what Node's parser gives up on. */
const UNREADABLE = 'unreadable';

/** The client has gone: as nginx writes it, no status that is ever sent. */
const CLIENT_GONE = 499;

type Listener = (answer: Answer) => void;

/** Somebody follows one request. */
export interface Followed {
  /** Of the trace that is recorded of it. */
  readonly traceId: string | undefined;
  /** Calls `work`, which handles the request, at once. */
  run(work: () => void): void;
  /** Called once, with its answer; must not throw. */
  over(answer: Answer): void;
}

/** Called when a request's turn has come; undefined: it is not followed. */
type Follower = (request: Request) => Followed | undefined;

/** Tells those who want to know of every answer when it is over; while nobody does, it costs nothing. */
@Injectable()
export class Answers {
  private readonly listeners: Listener[] = [];
  private follower: Follower | undefined;
  private begun = 0;

  get isWatched(): boolean {
    return this.listeners.length > 0 || this.follower !== undefined;
  }

  /** Requests that have come and whose answer is not over. */
  get inProgress(): number {
    return this.begun;
  }

  /** @param listener must not throw */
  watch(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** @param follower must not throw */
  follow(follower: Follower): void {
    this.follower = follower;
  }

  /**
   * A request's turn has come; to be called while somebody watches.
   * @returns who follows it and wants to run its handling
   */
  begin(request: Request, response: Response, requestId: string): Followed | undefined {
    const startedAt = performance.now();
    const { socket } = request;
    const before = socket.bytesWritten;
    this.begun += 1;
    const followed = this.follower?.(request);
    const over = () => {
      this.begun -= 1;
      const answer = {
        requestId,
        traceId: followed?.traceId,
        method: request.method,
        route: routeOf(request),
        status: response.headersSent ? response.statusCode : CLIENT_GONE,
        code: codeOf(response),
        userId: userOf(request)?.id,
        seconds: (performance.now() - startedAt) / 1000,
        bytes: socket.bytesWritten - before,
        isComplete: response.writableFinished,
      };
      this.tell(answer);
      followed?.over(answer);
    };
    // Its client may have gone while it waited for its turn: nobody would be told.
    if (isClosed(response)) over();
    else onceClosed(response, over);
    return followed;
  }

  /** What was no request has been refused. */
  refused(requestId: string, status: number, code: string, bytes: number): void {
    const answer = { requestId, status, code, bytes, method: 'none', route: UNREADABLE };
    this.tell({ ...answer, userId: undefined, seconds: 0, isComplete: true });
  }

  private tell(answer: Answer): void {
    for (const listener of this.listeners) listener(answer);
  }
}

/** Express keeps the route that took the request; of a router that others mount it may be none of ours. */
function routeOf({ route }: Request): string {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : NO_ROUTE;
}

/** As the guard and passport leave it: false where a strategy knew nobody. */
const userOf = ({ user }: Request): CurrentUser | undefined =>
  (user as CurrentUser | false | undefined) || undefined;

function codeOf(response: ServerResponse): string | undefined {
  const code = response.getHeader(ERROR_CODE_HEADER);
  return typeof code === 'string' ? code : undefined;
}
