import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable } from 'rxjs';
import { MessageStream } from './message-stream';
import { type StreamMessage } from './stream-opened';

/** How long a reader may take nothing of what waits for it, in milliseconds. */
export class StreamPatience {
  constructor(readonly stallMs = 30_000) {}
}

const errorMessage = (content: string): StreamMessage & { content: string } => ({ type: 'error', content });
const STOPPING = errorMessage('服务正在停止,请稍后重试');
const BROKEN = errorMessage('服务器内部错误');

/** The event streams that are open. When the service stops, each ends with an `error` message. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  private readonly logger = new Logger('EventStream');
  private readonly streams = new Set<MessageStream>();
  private stopping = false;

  constructor(private readonly patience: StreamPatience) {}

  /** Subscribes at once. The stream's end, from either side, ends the subscription. */
  open(messages: Observable<StreamMessage>, response: Response): MessageStream {
    const stream = new MessageStream(response, this.patience.stallMs);
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
    stream.subscribeTo(messages, (error) => {
      this.logger.error(error);
      return BROKEN;
    });
    if (this.stopping) stream.finishWith(STOPPING);
    return stream;
  }

  onModuleDestroy(): void {
    this.stopping = true;
    for (const stream of this.streams) stream.finishWith(STOPPING);
  }
}
