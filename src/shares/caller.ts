import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { onceClosed } from '../common/http/answer-closed';
import { clientOf } from '../common/http/client';

/** For whom work is done. */
export interface Caller {
  /** Whose share and turns it takes. */
  readonly client: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: AbortSignal;
}

/** Work that no request asked for, of commands for example: one client. */
export const IN_PROCESS: Caller = { client: 'in process' };

export function callerOf(context: ExecutionContext): Caller {
  const http = context.switchToHttp();
  const gone = new AbortController();
  onceClosed(http.getResponse<Response>(), () => gone.abort());
  return { client: clientOf(http.getRequest<Request>()), gone: gone.signal };
}

/** The `Caller` of a request, as a parameter of its handler. */
export const AskedBy = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));
