import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { clientOf } from '../common/http/client';
import { PLACES_OF_ROUTE, type PlacesOfRoute } from '../common/http/places.decorator';
import { RouteMetadata } from '../common/http/route-metadata';
import { Environment } from '../environment/environment';
import { ClientPlaces } from '../shares/client-places';
import { type Patience, patienceOf, tooLong } from '../shares/patience';
import { contextWithoutRoute } from './context-without-route';

/** Event streams that one client may have open. */
const STREAMS = 32;

/** Whoever keeps the rate limit always finds room: two windows may meet in one moment. */
const WINDOWS = 2;

/**
 * Lets so many requests of a client be in progress at once, open event streams apart; the rest wait here,
 * before the token is looked at or the body read. A place is given back when the answer has been sent, or can
 * no longer be.
 */
@Injectable()
export class ClientPlacesGuard implements CanActivate {
  private readonly requests: ClientPlaces;
  private readonly streams: ClientPlaces;

  constructor(
    { clientConcurrency, throttleLimit }: Environment,
    private readonly metadata: RouteMetadata,
  ) {
    const queue = throttleLimit * WINDOWS;
    this.requests = new ClientPlaces(clientConcurrency, queue);
    this.streams = new ClientPlaces(STREAMS, queue);
  }

  /** Requests that wait for a place of their client: short ones, and those for event streams. */
  get waiting(): { readonly requests: number; readonly streams: number } {
    return { requests: this.requests.waitingCount, streams: this.streams.waitingCount };
  }

  /**
   * Lets a request that no route of Nest's takes wait as every other.
   * @throws as `canActivate`
   */
  async admitUnrouted(request: Request, response: Response): Promise<void> {
    await this.canActivate(contextWithoutRoute(request, response));
  }

  /** @throws TooManyRequestsError when the client's queue is full, UnavailableError after a wait too long */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const kind = this.metadata.getAllAndOverride<PlacesOfRoute | undefined>(PLACES_OF_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (kind === 'none') return true;
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    // Nobody would give the place back.
    if (isClosed(response)) throw tooLong();
    const places = kind === 'streams' ? this.streams : this.requests;
    const request = http.getRequest<Request>();
    const client = clientOf(request);
    if (!places.take(client)) return waitFor(places, client, response, patienceOf(request));
    hold(places, client, response);
    return true;
  }
}

function waitFor(
  places: ClientPlaces,
  client: string,
  response: Response,
  patience: Patience,
): Promise<true> {
  return new Promise((resolve, reject) => {
    const admit = (error?: Error) => {
      // Other requests of a connection that is closed may learn of it earlier, and make room for this one.
      const refusal = error ?? (isClosed(response) ? tooLong() : undefined);
      if (refusal) {
        reject(refusal);
        return false;
      }
      hold(places, client, response);
      resolve(true);
      return true;
    };
    const leave = places.wait(client, admit, patience);
    onceClosed(response, () => {
      if (leave()) reject(tooLong());
    });
  });
}

const HELD = Symbol('held place');
type Holder = ServerResponse & { [HELD]?: { places: ClientPlaces; client: string } };

// One listener for all answers: this is the way of every request.
function hold(places: ClientPlaces, client: string, response: Holder): void {
  response[HELD] = { places, client };
  onceClosed(response, giveBack);
}

function giveBack(this: Holder): void {
  const held = this[HELD];
  this[HELD] = undefined;
  held?.places.release(held.client);
}
