import { type ExecutionContext, type Type } from '@nestjs/common';
import {
  type HttpArgumentsHost,
  type RpcArgumentsHost,
  type WsArgumentsHost,
} from '@nestjs/common/interfaces';
import { AiCall } from './ai-call';

/**
 * What an interceptor around an AI call gets as its `ExecutionContext`. Its type is `ai`, its one argument the call. There is no
 * request in it: a call may come from a module in process as well.
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

  switchToHttp(): HttpArgumentsHost {
    throw notHttp();
  }

  switchToRpc(): RpcArgumentsHost {
    throw notHttp();
  }

  switchToWs(): WsArgumentsHost {
    throw notHttp();
  }
}

/** The AI call in the context that an interceptor of the AI pipeline was given. */
export function aiCallOf(context: ExecutionContext): AiCall {
  if (!(context instanceof AiCallContext)) throw new Error('This interceptor belongs around AI calls only');
  return context.call;
}

function notHttp(): Error {
  return new Error('An AI call has no transport: read the call from the context');
}
