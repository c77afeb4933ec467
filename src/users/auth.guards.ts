import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { CurrentUser, Role } from '../platform/common/current-user';
import { ForbiddenError, UnauthorizedError } from '../platform/common/errors/service-error';
import { isPublic, ROLES_OF_ROUTE } from '../platform/http/route-decorators';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import { addressClient, countAs, userClient } from '../platform/http/client';
import { setCurrentUser } from '../platform/common/request-context';
import { AuthStrategies, TOKEN_STRATEGY } from '../platform/authentication/auth-strategies';
import { OtherStrategies } from './other-strategies';

type Recognised = CurrentUser | false | undefined;

/** Requires an authenticated user on every route without `@Public()`, by one of the strategies of `AUTH_STRATEGIES`. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategies: AuthStrategies,
    private readonly others: OtherStrategies,
    options: AuthModuleOptions,
  ) {
    super(options);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    if (this.strategies.hasOthers) await this.byAny(context);
    else await super.canActivate(context);
    const { user } = requestOf(context);
    if (!user) throw new UnauthorizedError();
    setCurrentUser(user);
    return true;
  }

  /** An error here does not mean that the client is unauthenticated: the database may be unreachable. */
  override handleRequest<User>(error: Error | null, user: User): User {
    if (error) throw error;
    return user;
  }

  private async byToken(context: ExecutionContext): Promise<Recognised> {
    await super.canActivate(context);
    return requestOf(context).user;
  }

  /** Tries the strategies in order. The rate limit counts the request for the user, or for the client's address. */
  private async byAny(context: ExecutionContext): Promise<void> {
    const request = requestOf(context);
    let user: Recognised;
    try {
      user = await this.firstOf(context);
    } catch (error) {
      await countAs(request, addressClient(request));
      throw error;
    }
    await countAs(request, user ? userClient(user.id) : addressClient(request));
    request.user = user;
  }

  private async firstOf(context: ExecutionContext): Promise<Recognised> {
    for (const strategy of this.strategies.list) {
      const user = await (strategy === TOKEN_STRATEGY
        ? this.byToken(context)
        : this.others.authenticate(strategy, context));
      if (user) return user;
    }
    return undefined;
  }
}

const requestOf = (context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request & { user?: Recognised }>();

/** Admits the roles in a route's `@Roles`. The service's own routes have none. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws ForbiddenError */
  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>(ROLES_OF_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<Request & { user?: CurrentUser }>();
    if (!user || !roles.includes(user.role)) throw new ForbiddenError();
    return true;
  }
}
