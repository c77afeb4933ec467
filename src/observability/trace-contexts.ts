import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/**
 * Says which span work belongs to, for us and, through OpenTelemetry's API, for extensions. It travels as
 * the id of the request does (docs/decisions/0014), not by a storage of its own.
 */
export class TraceContexts implements ContextManager {
  private readonly variable = new AsyncLocalStorage<Context>();

  /** Undefined where nothing is traced. */
  get current(): Context | undefined {
    return this.variable.getStore();
  }

  active(): Context {
    return this.current ?? ROOT_CONTEXT;
  }

  with<Args extends unknown[], Work extends (...args: Args) => ReturnType<Work>>(
    context: Context,
    work: Work,
    thisArg?: ThisParameterType<Work>,
    ...args: Args
  ): ReturnType<Work> {
    return this.variable.run(context, () => work.call(thisArg, ...args));
  }

  /** Functions only: of an emitter its listeners are to be bound. */
  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const work = target as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => this.variable.run(context, () => work(...args))) as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}
