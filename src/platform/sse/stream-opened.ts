import { type OperatorFunction, startWith } from 'rxjs';

/** A message of an event stream. */
export interface StreamMessage {
  readonly type: string;
}

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
