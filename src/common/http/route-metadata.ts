import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

type Target = Parameters<Reflector['get']>[1];

/**
 * What decorators say about a route, looked up once for each handler and class: guards ask for the same on
 * every request, and a decorator is applied before the first.
 */
@Injectable()
export class RouteMetadata extends Reflector {
  private readonly known = new WeakMap<Target, WeakMap<Target, Map<unknown, unknown>>>();

  override getAllAndOverride<Result>(key: unknown, targets: Target[]): Result {
    const [handler, controller] = targets;
    if (!handler || !controller || targets.length > 2) return super.getAllAndOverride(key as string, targets);
    const ofRoute = this.ofRoute(handler, controller);
    if (!ofRoute.has(key)) ofRoute.set(key, super.getAllAndOverride(key as string, targets));
    return ofRoute.get(key) as Result;
  }

  private ofRoute(handler: Target, controller: Target): Map<unknown, unknown> {
    let ofHandler = this.known.get(handler);
    if (!ofHandler) this.known.set(handler, (ofHandler = new WeakMap()));
    let ofRoute = ofHandler.get(controller);
    if (!ofRoute) ofHandler.set(controller, (ofRoute = new Map()));
    return ofRoute;
  }
}
