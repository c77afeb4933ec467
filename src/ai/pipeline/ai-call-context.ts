import { type ExecutionContext, type Type } from '@nestjs/common';
import { AiCall } from './ai-call';

/**
 * The `ExecutionContext` of an interceptor around an AI call. Its type is `ai`, its only argument is the call.
 * It has no HTTP request: a module of this process can make AI calls too.
 */
export class AiCallContext implements ExecutionContext {
  constructor(readonly call: AiCall) {}

  getType<T extends string = 'ai'>(): T {
    return 'ai' as T;
  }

  getClass<T = unknown>(): Type<T> {
    return AiCall as unknown as Type<T>;
  }

  /** The capability's prompt represents the handler, so that decorators can attach metadata to it. */
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

/** Returns the AI call from the context of an interceptor of the AI pipeline. */
export function aiCallOf(context: ExecutionContext): AiCall {
  if (!(context instanceof AiCallContext)) throw new Error('This interceptor belongs around AI calls only');
  return context.call;
}

function notHttp(): Error {
  return new Error('An AI call has no transport: read the call from the context');
}
