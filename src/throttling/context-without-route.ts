import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

class NoController {}
const noHandler = () => undefined;

/** Of a request that no route of Nest's takes, for guards: no decorator is found there. */
export function contextWithoutRoute(request: Request, response: Response): ExecutionContext {
  const http = { getRequest: () => request, getResponse: () => response };
  const context = {
    getType: () => 'http',
    getClass: () => NoController,
    getHandler: () => noHandler,
    switchToHttp: () => http,
  };
  return context as unknown as ExecutionContext;
}

export const isWithoutRoute = (context: ExecutionContext): boolean => context.getHandler() === noHandler;
