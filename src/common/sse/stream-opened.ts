import { type OperatorFunction, startWith } from 'rxjs';

/** One message of an event stream. */
export interface StreamMessage {
  readonly type: string;
}

/** First emission of a handler's Observable whose messages are to be sent as an event stream. */
export const STREAM_OPENED = Symbol('stream opened');
export type StreamOpened = typeof STREAM_OPENED;

/**
 * Says in band that the stream opens: what the handler's Observable emits from here on are messages. An error
 * before it is answered as JSON, with its own status; an Observable without it is a JSON answer.
 */
export const streamOpened = <Message extends StreamMessage>(): OperatorFunction<
  Message,
  Message | StreamOpened
> => startWith<Message, StreamOpened[]>(STREAM_OPENED);
