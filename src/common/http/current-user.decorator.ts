import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CurrentUser } from '../current-user';

/** A request of a signed-in user. */
export type SignedInRequest = Request & { readonly user: CurrentUser };

/**
 * The signed-in user; only on routes that are not public. Our own handlers take the request (`@Req()`): for
 * that Nest runs no pipes, which is ten promises less.
 */
export const User = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SignedInRequest>().user,
);
