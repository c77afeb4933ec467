import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CurrentUser } from '../access/current-user';

/** The signed-in user; only on routes that are not public. */
export const User = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request & { user: CurrentUser }>().user,
);
