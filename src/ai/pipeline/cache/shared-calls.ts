import { AsyncResource } from 'node:async_hooks';
import { finalize, Observable, ReplaySubject, share } from 'rxjs';
import { type AiCall, type AiEvent } from '../ai-call';

interface SharedCall {
  /** The call that sends the request; the others wait for its answer. */
  readonly leader: AiCall;
  readonly events: Observable<AiEvent>;
}

/**
 * Equal calls that run at the same time share the request of the first one and receive all of its
 * events. When the last call unsubscribes, the request is aborted.
 */
export class SharedCalls {
  private readonly underWay = new Map<string, SharedCall>();

  join(key: string, call: AiCall, start: () => Observable<AiEvent>): SharedCall {
    const joined = this.underWay.get(key);
    if (joined) return { leader: joined.leader, events: inContextOfNow(joined.events) };
    const shared: SharedCall = {
      leader: call,
      events: start().pipe(
        finalize(() => {
          if (this.underWay.get(key) === shared) this.underWay.delete(key);
        }),
        share({
          connector: () => new ReplaySubject<AiEvent>(),
          resetOnComplete: false,
          resetOnError: false,
          resetOnRefCountZero: true,
        }),
      ),
    };
    this.underWay.set(key, shared);
    return shared;
  }
}

/** RxJS emits in the async context of the source, here the request of the first caller; this restores each caller's. */
function inContextOfNow<T>(events: Observable<T>): Observable<T> {
  const handed = AsyncResource.bind((hand: () => void) => hand());
  return new Observable((subscriber) =>
    events.subscribe({
      next: (event) => handed(() => subscriber.next(event)),
      error: (error: unknown) => handed(() => subscriber.error(error)),
      complete: () => handed(() => subscriber.complete()),
    }),
  );
}
