import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** An answer whose JSON is already text (built by the database); it is sent as it is, without being parsed again. */
export class JsonText<T = unknown> {
  constructor(readonly text: string) {}

  /** `{ data }` around it, as `record` does for objects. */
  asRecord(): JsonText<{ data: T }> {
    return new JsonText(`{"data":${this.text}}`);
  }

  /** The same as an object, for callers inside the process. */
  parse(): T {
    return JSON.parse(this.text) as T;
  }
}

/** Sends a handler's `JsonText` as JSON. */
@Injectable()
export class JsonTextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((value: unknown) => {
        if (!(value instanceof JsonText)) return value;
        context.switchToHttp().getResponse<Response>().type('application/json');
        return value.text;
      }),
    );
  }
}
