import { Injectable } from '@nestjs/common';
import type { CurrentUser, StreamMessage } from 'formula-development-service';
import { distinctUntilChanged, exhaustMap, map, type Observable, takeUntil, takeWhile, timer } from 'rxjs';
import { StabilityService } from './stability.service';

/** One message of a stream. */
export interface StateMessage extends StreamMessage {
  readonly type: 'state';
  readonly state: string;
}

/** Milliseconds. Asking the database tells what any instance has written. */
const EVERY = 1000;

/** Milliseconds. Who wants to know more asks again: a client that is gone without a word is let go. */
const LONGEST = 15 * 60_000;

@Injectable()
export class StabilityWatch {
  constructor(private readonly tests: StabilityService) {}

  /** Its state now and at each change, up to its result. Fails when the user may not see it any more. */
  of(user: CurrentUser, id: string): Observable<StateMessage> {
    return timer(0, EVERY).pipe(
      exhaustMap(() => this.tests.get(user, id)),
      map(({ state }): StateMessage => ({ type: 'state', state })),
      distinctUntilChanged((before, now) => before.state === now.state),
      takeWhile(({ state }) => state === 'running' || state === 'overdue', true),
      takeUntil(timer(LONGEST)),
    );
  }
}
