import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable } from 'rxjs';
import { MessageStream } from './message-stream';
import { Languages } from '../texts/languages';
import { inWords, text, type Words } from '../texts/text';
import { type StreamMessage } from './stream-opened';

/** How long a reader may take nothing of what waits for it, in milliseconds. */
export class StreamPatience {
  constructor(readonly stallMs = 30_000) {}
}

const errorMessage = (
  code: 'server.failed' | 'stream.stopping',
  words: Words,
): StreamMessage & { content: string } => ({ type: 'error', content: inWords(text(code), words) });

/** The event streams that are open. When the service stops, each ends with an `error` message. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  private readonly logger = new Logger('EventStream');
  /** With the words in which their clients are told what ends them. */
  private readonly streams = new Map<MessageStream, Words>();
  private stopping = false;

  constructor(
    private readonly patience: StreamPatience,
    private readonly languages: Languages,
  ) {}

  /** Subscribes at once. The stream's end, from either side, ends the subscription. */
  open(messages: Observable<StreamMessage>, response: Response): MessageStream {
    const stream = new MessageStream(response, this.patience.stallMs);
    const words = this.languages.wordsFor(response.req);
    this.streams.set(stream, words);
    stream.once('close', () => this.streams.delete(stream));
    stream.subscribeTo(messages, (error) => {
      this.logger.error(error);
      return errorMessage('server.failed', words);
    });
    if (this.stopping) stream.finishWith(errorMessage('stream.stopping', words));
    return stream;
  }

  onModuleDestroy(): void {
    this.stopping = true;
    for (const [stream, words] of this.streams) stream.finishWith(errorMessage('stream.stopping', words));
  }
}
