import { finalize, type Observable, ReplaySubject, share } from 'rxjs';
import { type AiCall, type AiEvent } from '../ai-call';

interface Flight {
  /** The call whose attempts answer all who wait. */
  readonly leader: AiCall;
  readonly events: Observable<AiEvent>;
}

/**
 * Identical calls under way at the same time: the first one flies, the others wait with it and see all it has seen. When the last
 * one leaves, the request is given up.
 */
export class Flights {
  private readonly flights = new Map<string, Flight>();

  join(key: string, call: AiCall, start: () => Observable<AiEvent>): Flight {
    const under = this.flights.get(key);
    if (under) return under;
    const flight: Flight = {
      leader: call,
      events: start().pipe(
        finalize(() => {
          if (this.flights.get(key) === flight) this.flights.delete(key);
        }),
        share({
          connector: () => new ReplaySubject<AiEvent>(),
          resetOnComplete: false,
          resetOnError: false,
          resetOnRefCountZero: true,
        }),
      ),
    };
    this.flights.set(key, flight);
    return flight;
  }
}
