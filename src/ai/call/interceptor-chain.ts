import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { defer, from, mergeMap, type Observable } from 'rxjs';

/**
 * Puts Nest interceptors around a handler, the first one outermost, as Nest does around a controller's
 * method.
 */
export function chain(
  interceptors: readonly NestInterceptor[],
  context: ExecutionContext,
  innermost: CallHandler,
): CallHandler {
  return interceptors.reduceRight<CallHandler>(
    (next, interceptor) => ({ handle: () => defer(() => intercepted(interceptor, context, next)) }),
    innermost,
  );
}

function intercepted(
  interceptor: NestInterceptor,
  context: ExecutionContext,
  next: CallHandler,
): Observable<unknown> {
  const result = interceptor.intercept(context, next);
  return result instanceof Promise
    ? from(result).pipe(mergeMap((inner: Observable<unknown>) => inner))
    : result;
}
