import type { EventPublisher } from '../../src/events/event-publisher';
import type { WriteValidators } from '../../src/events/write-validators';

/** Nobody handles events: a write is only written. */
export const unheard = {
  publishWith: (_type: string, write: () => Promise<unknown>) => write(),
  tell: () => Promise.resolve(),
} as unknown as EventPublisher;

/** No rules but ours. */
export const unvalidated = { require: () => Promise.resolve() } as unknown as WriteValidators;
