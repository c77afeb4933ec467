import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { UnavailableError } from '../common/errors/service-error';
import { RouteMetadata } from '../common/http/route-metadata';
import { parseEnvironment } from '../environment/environment';
import { callerIn } from '../shares/caller';
import { FairTurns } from '../shares/fair-turns';
import { REQUEST_PATIENCE_MS } from '../shares/patience';
import { ClientPlacesGuard } from './client-places.guard';

class Handlers {
  handle(this: void) {
    return undefined;
  }
}

/** A request on a connection of its own, and how its answer ends. */
function request(state: { closed?: boolean; cut?: boolean } = {}) {
  const socket = { destroyed: state.cut ?? false };
  const answer = Object.assign(new EventEmitter(), {
    socket,
    req: { socket },
    closed: state.closed ?? false,
    destroyed: false,
  });
  const asked = { ip: '10.0.0.1' };
  const http = { getRequest: () => asked, getResponse: () => answer };
  const context = {
    getHandler: () => Handlers.prototype.handle,
    getClass: () => Handlers,
    switchToHttp: () => http,
  } as unknown as ExecutionContext;
  return { context, socket, close: () => answer.emit('close') };
}

describe('the guard of clients’ places', () => {
  const settings = parseEnvironment({ CLIENT_CONCURRENCY: '1' });
  const OF_AN_ADDRESS = 10;

  it('keeps no place for an answer that nobody will take', () => {
    const guard = new ClientPlacesGuard(settings, new RouteMetadata());
    for (let n = 0; n < OF_AN_ADDRESS; n++) {
      expect(() => guard.canActivate(request({ closed: true }).context)).toThrow(UnavailableError);
      expect(() => guard.canActivate(request({ cut: true }).context)).toThrow(UnavailableError);
    }
    expect(guard.canActivate(request().context)).toBe(true);
  });

  it('gives a place back once, however often its answer closes', async () => {
    const guard = new ClientPlacesGuard(settings, new RouteMetadata());
    const requests = Array.from({ length: OF_AN_ADDRESS }, () => request());
    for (const { context } of requests) expect(guard.canActivate(context)).toBe(true);
    const [second, third] = [request(), request()];
    const answers = [second, third].map(({ context }) => guard.canActivate(context));
    requests[0]!.close();
    requests[0]!.close();
    expect(await answers[0]).toBe(true);
    let admitted = false;
    void Promise.resolve(answers[1]).then(() => (admitted = true));
    await new Promise(setImmediate);
    expect(admitted).toBe(false);
    second.close();
    expect(await answers[1]).toBe(true);
  });

  it('passes by a request that waits and whose connection is cut, though nobody has told it yet', async () => {
    const guard = new ClientPlacesGuard(settings, new RouteMetadata());
    const requests = Array.from({ length: OF_AN_ADDRESS }, () => request());
    for (const { context } of requests) void guard.canActivate(context);
    const [cut, next] = [request(), request()];
    const answers = [cut, next].map(({ context }) => Promise.resolve(guard.canActivate(context)));
    cut.socket.destroyed = true;
    requests[0]!.close();
    await expect(answers[0]).rejects.toThrow(UnavailableError);
    expect(await answers[1]).toBe(true);
  });

  it('what a request has waited for its place, it waits less for a turn', async () => {
    jest.useFakeTimers();
    try {
      const guard = new ClientPlacesGuard(settings, new RouteMetadata());
      const requests = Array.from({ length: OF_AN_ADDRESS }, () => request());
      for (const { context } of requests) void guard.canActivate(context);
      const { context } = request();
      const place = guard.canActivate(context);
      jest.advanceTimersByTime(10_000);
      requests[0]!.close();
      await place;
      const turns = new FairTurns({ limit: () => 1 });
      void turns.turn({ client: 'another' });
      let refused = false;
      turns.turn(callerIn(context))!.catch(() => (refused = true));
      await jest.advanceTimersByTimeAsync(REQUEST_PATIENCE_MS - 10_001);
      expect(refused).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(refused).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
