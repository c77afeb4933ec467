import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import {
  finalize,
  from,
  map,
  mergeMap,
  Observable,
  of,
  type OperatorFunction,
  share,
  startWith,
  takeWhile,
} from 'rxjs';
import { OpenStreams, type StreamMessage } from './open-streams';

/** First emission of a handler's Observable if its messages are sent as an event stream. */
export const STREAM_OPENED = Symbol('stream opened');
export type StreamOpened = typeof STREAM_OPENED;

/**
 * Opens an event stream: from here on, the emissions of the handler's Observable are messages. An error before it
 * is answered as JSON with its own status. An Observable without it is a JSON answer.
 */
export const streamOpened = <Message extends StreamMessage>(): OperatorFunction<
  Message,
  Message | StreamOpened
> => startWith<Message, StreamOpened[]>(STREAM_OPENED);

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

export const EVENT_STREAM_ROUTE = 'formula:event-stream-route';

/** Marks a route that may answer with an event stream (`streamOpened`). Its status is 200 for every method. */
export const StreamsEvents = () =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(EVENT_STREAM_ROUTE, true),
    UseInterceptors(EventStreamInterceptor),
  );
