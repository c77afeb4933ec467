import { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Logger,
  type NestInterceptor,
  type OnModuleDestroy,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable, of, type Subscription } from 'rxjs';
import { StallGuard } from './stall-guard';

/** One message of an event stream. */
export interface StreamMessage {
  readonly type: string;
}

/** What a handler returns whose answer is an event stream; errors before it is returned are answered as JSON. */
export class EventStream<Message extends StreamMessage = StreamMessage> {
  constructor(readonly messages: Observable<Message>) {}
}

/** How long a reader may take nothing of what waits for it, in milliseconds. */
export class StreamPatience {
  constructor(readonly stallMs = 30_000) {}
}

const INTERRUPTED: StreamMessage & { content: string } = {
  type: 'error',
  content: '服务正在停止,请稍后重试',
};
const BROKEN: StreamMessage & { content: string } = { type: 'error', content: '服务器内部错误' };

/**
 * Writes an `EventStream` as server-sent events: each message a line `data: <JSON>` and a blank line, nothing else. The
 * subscription ends when the client goes away; a reader that takes nothing is disconnected; streams that are open when the service
 * stops end with an `error` message.
 *
 * Nest's own `@Sse` writes a blank first line and ids, and answers POST with 201.
 */
@Injectable()
export class EventStreamInterceptor implements NestInterceptor, OnModuleDestroy {
  private readonly logger = new Logger('EventStream');
  private readonly open = new Set<MessageStream>();

  constructor(private readonly patience: StreamPatience) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next
      .handle()
      .pipe(mergeMap((value) => (isEventStream(value) ? this.start(value, response) : of(value))));
  }

  onModuleDestroy(): void {
    for (const stream of this.open) stream.finishWith(INTERRUPTED);
  }

  private async start(source: EventStream, response: Response): Promise<StreamableFile> {
    const stream = new MessageStream(response, this.patience.stallMs, (error) => this.logger.error(error));
    this.open.add(stream);
    stream.once('close', () => this.open.delete(stream));
    stream.subscribeTo(source.messages);
    // Answers that are at hand (preset, cached) come within this turn and may still say so in a header.
    await new Promise(setImmediate);
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-cache, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    // The reader learns that its stream is open before there is anything to say; by then Nest has set the status.
    setImmediate(() => {
      if (!response.headersSent && !response.destroyed) response.flushHeaders();
    });
    return new StreamableFile(stream);
  }
}

const isEventStream = (value: unknown): value is EventStream => value instanceof EventStream;

class MessageStream extends Readable {
  private readonly guard: StallGuard;
  private subscription: Subscription | undefined;
  private ended = false;

  constructor(
    response: Response,
    stallMs: number,
    private readonly report: (error: unknown) => void,
  ) {
    super();
    this.guard = new StallGuard(response, () => this.readableLength + response.writableLength, stallMs);
  }

  subscribeTo(messages: Observable<StreamMessage>): void {
    this.subscription = messages.subscribe({
      next: (message) => this.send(message),
      error: (error: unknown) => {
        this.report(error);
        this.finishWith(BROKEN);
      },
      complete: () => this.finish(),
    });
    if (this.ended) this.subscription.unsubscribe();
  }

  finishWith(message: StreamMessage): void {
    this.send(message);
    this.finish();
  }

  override _read(): void {
    // Messages are pushed as they come.
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.ended = true;
    this.subscription?.unsubscribe();
    callback(error);
  }

  private send(message: StreamMessage): void {
    if (this.ended) return;
    const bytes = Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
    this.guard.expect(bytes.length);
    this.push(bytes);
  }

  private finish(): void {
    if (this.ended) return;
    this.ended = true;
    this.push(null);
    this.subscription?.unsubscribe();
  }
}

/** A route that may answer with an event stream: status 200, whatever the method. */
export const StreamsEvents = () => applyDecorators(HttpCode(200), UseInterceptors(EventStreamInterceptor));
