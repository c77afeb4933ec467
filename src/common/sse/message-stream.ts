import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { catchError, type Observable, of, Subscription } from 'rxjs';
import { StallTimeout } from './stall-timeout';
import { type StreamMessage } from './stream-opened';

/** The bytes of an event stream: each message a line `data: <JSON>` and a blank line, nothing else. */
export class MessageStream extends Readable {
  private readonly timeout: StallTimeout;
  private readonly subscription = new Subscription();

  /** @param stallMs how long the reader may take nothing of what waits for it, in milliseconds */
  constructor(response: ServerResponse, stallMs: number) {
    super();
    this.timeout = new StallTimeout(response, () => this.readableLength + response.writableLength, stallMs);
  }

  /** @param onError gives the last message of a stream that failed */
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
    if (this.subscription.closed) return;
    const bytes = Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
    this.timeout.expect(bytes.length);
    this.push(bytes);
  }

  private finish(): void {
    if (this.subscription.closed) return;
    this.push(null);
    this.subscription.unsubscribe();
  }
}
