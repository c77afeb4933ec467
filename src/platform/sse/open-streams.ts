import { Readable } from 'node:stream';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, type Observable, of, Subscription } from 'rxjs';
import { languageOf } from '../texts/languages';
import { render, text } from '../texts/text';

/** A message of an event stream. */
export interface StreamMessage {
  readonly type: string;
}

const errorMessage = (
  code: 'server.failed' | 'stream.stopping',
  language: string,
): StreamMessage & { content: string } => ({ type: 'error', content: render(text(code), language) });

/** The bytes of an event stream: for each message a line `data: <JSON>` and a blank line. */
export class MessageStream extends Readable {
  private readonly subscription = new Subscription();

  /** @param onError returns the last message of a stream that failed */
  subscribeTo(messages: Observable<StreamMessage>, onError: (error: unknown) => StreamMessage): void {
    this.subscription.add(
      messages.pipe(catchError((error: unknown) => of(onError(error)))).subscribe({
        next: (message) => this.send(message),
        complete: () => this.finish(),
      }),
    );
  }

  finishWith(message: StreamMessage): void {
    this.send(message);
    this.finish();
  }

  override _read(): void {
    // Messages are pushed as they come.
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.subscription.unsubscribe();
    callback(error);
  }

  private send(message: StreamMessage): void {
    if (!this.subscription.closed) this.push(`data: ${JSON.stringify(message)}\n\n`);
  }

  private finish(): void {
    if (this.subscription.closed) return;
    this.push(null);
    this.subscription.unsubscribe();
  }
}

/** All open event streams. When the service stops, each ends with an `error` message. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  private readonly logger = new Logger('EventStream');
  /** Each stream with its client's language. */
  private readonly streams = new Map<MessageStream, string>();
  private stopping = false;

  /** Subscribes immediately. The subscription ends with the stream, whichever side closes it. */
  open(messages: Observable<StreamMessage>, response: Response): MessageStream {
    const stream = new MessageStream();
    const language = languageOf(response.req);
    this.streams.set(stream, language);
    stream.once('close', () => this.streams.delete(stream));
    stream.subscribeTo(messages, (error) => {
      this.logger.error(error);
      return errorMessage('server.failed', language);
    });
    if (this.stopping) stream.finishWith(errorMessage('stream.stopping', language));
    return stream;
  }

  onModuleDestroy(): void {
    this.stopping = true;
    for (const [stream, language] of this.streams)
      stream.finishWith(errorMessage('stream.stopping', language));
  }
}
