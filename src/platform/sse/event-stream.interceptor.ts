import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, from, map, mergeMap, Observable, of, share, takeWhile } from 'rxjs';
import { OpenStreams } from './open-streams';
import { STREAM_OPENED, type StreamMessage } from './stream-opened';

/**
 * Writes a handler's Observable as server-sent events from `STREAM_OPENED` on. An Observable without it is answered
 * as JSON. The subscription ends when the client disconnects. A client that does not read is disconnected.
 *
 * Nest's own `@Sse` writes a blank first line and ids, and answers POST with 201.
 */
@Injectable()
export class EventStreamInterceptor implements NestInterceptor {
  constructor(private readonly streams: OpenStreams) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    // Shared by two subscribers: Nest until the opening, which gives it the file to answer with, and then the file.
    const emitted = next.handle().pipe(share());
    return emitted.pipe(
      takeWhile((value) => value !== STREAM_OPENED, true),
      mergeMap((value) =>
        value === STREAM_OPENED ? this.start(emitted as Observable<StreamMessage>, response) : of(value),
      ),
    );
  }

  private start(messages: Observable<StreamMessage>, response: Response): Observable<StreamableFile> {
    const stream = this.streams.open(messages, response);
    let handedOn = false;
    // Immediate answers (preset, cached) arrive in this turn of the event loop and may still set a header.
    return from(new Promise(setImmediate)).pipe(
      map(() => {
        handedOn = true;
        response.setHeader('Content-Type', 'text/event-stream');
        response.setHeader('Cache-Control', 'no-store, no-transform');
        response.setHeader('X-Accel-Buffering', 'no');
        // Send the headers before the first message, to tell the client that the stream is open. Nest has set the
        // status.
        setImmediate(() => {
          if (!response.headersSent && !response.destroyed) response.flushHeaders();
        });
        return new StreamableFile(stream);
      }),
      // The client disconnected before Nest had the file.
      finalize(() => {
        if (!handedOn) stream.destroy();
      }),
    );
  }
}
