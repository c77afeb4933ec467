import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, Observable, tap } from 'rxjs';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { RouteMetadata } from '../common/http/route-metadata';
import { callerIn } from './caller';
import type { HeavyKind, HeavyTurn } from './heavy-turn';
import { HeavyWork } from './heavy-work';

export const HEAVY_ROUTE = 'formula:heavy-route';

/** Lets a heavy request wait for its turn, and ends the turn when its work is done. */
@Injectable()
export class HeavyInterceptor implements NestInterceptor {
  constructor(
    private readonly work: HeavyWork,
    private readonly metadata: RouteMetadata,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const kind = this.metadata.getAllAndOverride<HeavyKind>(HEAVY_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const response = context.switchToHttp().getResponse<Response>();
    return new Observable((subscriber) => {
      const start = (turn: HeavyTurn) => {
        const end = () => turn.end();
        // Gone between its turn and now: nobody else would end it.
        if (subscriber.closed) return end();
        // A file, or an event stream whose decorator stands above `@Heavy`: only the handler has ended.
        let isStream = false;
        const answer = next.handle().pipe(
          tap((value) => (isStream = value instanceof StreamableFile)),
          // Who goes away ends only a stream: a handler works on, and its turn is over when it has ended.
          finalize(() => {
            if (isStream && !isClosed(response)) onceClosed(response, end);
            else end();
          }),
        );
        answer.subscribe(subscriber);
      };
      this.work.turn(kind, callerIn(context)).then(
        (turn) => turn.run(() => start(turn)),
        (error: unknown) => subscriber.error(error),
      );
    });
  }
}
