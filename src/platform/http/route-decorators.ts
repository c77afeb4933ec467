import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { CurrentUser, Role } from '../common/current-user';
import type { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { PUBLIC_OPERATION } from '../openapi/complete-document';
import { ApiErrors } from '../openapi/responses';
import { text } from '../texts/text';

/** A request of a signed-in user. */
export type SignedInRequest = Request & { readonly user: CurrentUser };

/**
 * Injects the signed-in user; only on routes that are not public. The service's own handlers use `@Req()` instead:
 * Nest runs no pipes for it, which saves ten promises per request.
 */
export const User = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SignedInRequest>().user,
);

export const PUBLIC_ROUTE = 'formula:public-route';

/** Opens a route to clients without a token. A test asserts the exact list of such routes. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

export const isPublic = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [
    context.getHandler(),
    context.getClass(),
  ]) ?? false;

export const ROLES_OF_ROUTE = 'formula:roles-of-route';

/**
 * Admits only users with these roles to a route, or to all routes of a controller. Other users get 403. `admin` has
 * no special meaning here: name it to admit admins. Roles of a route replace those of its controller. The service
 * does not start with a role that is not registered.
 */
export const Roles = (...roles: Role[]) =>
  applyDecorators(SetMetadata(ROLES_OF_ROUTE, roles), ApiErrors({ 403: text('access.denied') }));
