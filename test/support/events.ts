import type { EventPublisher } from '../../src/platform/events/event-publisher';
import type { WriteValidators } from '../../src/platform/events/write-validators';

/** Nobody handles events: a write is only written. */
export const unheard = {
  transaction: (work: () => Promise<unknown>) => work(),
  publish: () => Promise.resolve(),
  publishAll: () => Promise.resolve(),
} as unknown as EventPublisher;

/** No rules but ours. */
export const unvalidated = { require: () => Promise.resolve() } as unknown as WriteValidators;
