import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { PUBLIC_OPERATION } from '../openapi/complete-document';

export const PUBLIC_ROUTE = 'formula:public-route';

/** Opens a route to clients without a token. A test asserts the exact list of such routes. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

export const isPublic = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [
    context.getHandler(),
    context.getClass(),
  ]) ?? false;
