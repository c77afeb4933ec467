import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CurrentUser } from '../common/current-user';
import { isClosed, onceClosed } from '../http/answer-closed';
import { ERROR_CODE_HEADER } from '../texts/text';

/** An answer that has ended: sent, or given up because the client has disconnected. */
export interface Answer {
  readonly requestId: string;
  /** Id of the request's trace, if it is recorded. */
  readonly traceId?: string;
  readonly method: string;
  /** The pattern of the route, such as `/api/formulas/:id`, never the requested path. */
  readonly route: string;
  /** 499, as in nginx, if the client disconnected before there was a status. It is never sent. */
  readonly status: number;
  /** Value of the `X-Error-Code` header. */
  readonly code: string | undefined;
  /** Id of the user; absent for an anonymous request, or if the answer was sent before the token check. */
  readonly userId: string | undefined;
  readonly seconds: number;
  /** Bytes sent on the connection, headers included. */
  readonly bytes: number;
  /** False if the client disconnected, or the answer was broken off, before its end. */
  readonly isComplete: boolean;
}

/** Route of requests that match no route: their paths may contain anything. */
export const NO_ROUTE = 'none';

/** Route of input that Node's parser gave up on. */
const UNREADABLE = 'unreadable';

type Listener = (answer: Answer) => void;

/** A follower's callbacks for one request. */
export interface Followed {
  /** Id of the request's trace, if it is recorded. */
  readonly traceId: string | undefined;
  /** Calls `work`, which handles the request, immediately. */
  run(work: () => void): void;
  /** Called once, when the answer has ended. Must not throw. */
  over(answer: Answer): void;
}

/** Called when the handling of a request begins. Returns undefined if the request is not followed. */
type Follower = (request: Request) => Followed | undefined;

/** Notifies its listeners when an answer has ended. Without listeners it costs nothing. */
@Injectable()
export class Answers {
  private readonly listeners: Listener[] = [];
  private follower: Follower | undefined;
  /** Number of requests whose answer has not ended. */
  inProgress = 0;

  isWatched = false;

  /** @param listener must not throw */
  watch(listener: Listener): void {
    this.isWatched = true;
    this.listeners.push(listener);
  }

  /** @param follower must not throw */
  follow(follower: Follower): void {
    this.isWatched = true;
    this.follower = follower;
  }

  /**
   * Registers a request whose handling begins. Call it only if `isWatched`.
   * @returns the follower of the request, which then runs its handling
   */
  begin(request: Request, response: Response, requestId: string): Followed | undefined {
    const startedAt = performance.now();
    const { socket } = request;
    const before = socket.bytesWritten;
    this.inProgress += 1;
    const followed = this.follower?.(request);
    const over = () => {
      this.inProgress -= 1;
      const answer = {
        requestId,
        traceId: followed?.traceId,
        method: request.method,
        route: routeOf(request),
        status: response.headersSent ? response.statusCode : 499,
        code: codeOf(response),
        userId: userOf(request)?.id,
        seconds: (performance.now() - startedAt) / 1000,
        bytes: socket.bytesWritten - before,
        isComplete: response.writableFinished,
      };
      this.tell(answer);
      followed?.over(answer);
    };
    // The client may have disconnected while the request waited; then no `close` event would follow.
    if (isClosed(response)) over();
    else onceClosed(response, over);
    return followed;
  }

  /** Reports that input which is not a valid request was refused. */
  refused(requestId: string, status: number, code: string, bytes: number): void {
    const answer = { requestId, status, code, bytes, method: 'none', route: UNREADABLE };
    this.tell({ ...answer, userId: undefined, seconds: 0, isComplete: true });
  }

  private tell(answer: Answer): void {
    for (const listener of this.listeners) listener(answer);
  }
}

/** Express stores the matched route on the request. A router that an extension mounts may set something else. */
function routeOf({ route }: Request): string {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : NO_ROUTE;
}

/** The guard and passport set it. It is false if a strategy did not authenticate the client. */
const userOf = ({ user }: Request): CurrentUser | undefined =>
  (user as CurrentUser | false | undefined) || undefined;

function codeOf(response: ServerResponse): string | undefined {
  const code = response.getHeader(ERROR_CODE_HEADER);
  return typeof code === 'string' ? code : undefined;
}
