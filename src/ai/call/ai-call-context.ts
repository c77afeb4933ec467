import { type ExecutionContext, type Type } from '@nestjs/common';
import { AiCall } from './ai-call';

/**
 * What an interceptor around an AI call gets as its `ExecutionContext`. Its type is `ai`, its one argument
 * the call. There is no request in it: a call may come from a module in process as well.
 */
export class AiCallContext implements ExecutionContext {
  constructor(readonly call: AiCall) {}

  getType<T extends string = 'ai'>(): T {
    return 'ai' as T;
  }

  getClass<T = unknown>(): Type<T> {
    return AiCall as unknown as Type<T>;
  }

  /** The capability's prompt: what stands for the handler, so that metadata may be put on it. */
  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.call.capability.prompt;
  }

  getArgs<T extends unknown[] = [AiCall]>(): T {
    return [this.call] as unknown as T;
  }

  getArgByIndex<T = AiCall>(index: number): T {
    return [this.call][index] as T;
  }

  switchToHttp(): ReturnType<ExecutionContext['switchToHttp']> {
    throw notHttp();
  }

  switchToRpc(): ReturnType<ExecutionContext['switchToRpc']> {
    throw notHttp();
  }

  switchToWs(): ReturnType<ExecutionContext['switchToWs']> {
    throw notHttp();
  }
}

/** The AI call that an interceptor of the AI pipeline runs around, from its context. */
export function aiCallOf(context: ExecutionContext): AiCall {
  if (!(context instanceof AiCallContext)) throw new Error('This interceptor belongs around AI calls only');
  return context.call;
}

function notHttp(): Error {
  return new Error('An AI call has no transport: read the call from the context');
}
