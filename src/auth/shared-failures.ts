import { StoreFault } from '../common/watched-store';
import type { SharedState } from '../redis/shared-state';
import type { SharedFailures } from './failed-logins';

/** Failed logins that instances count in Redis; while it does not work, each one counts its own. */
export const failuresIn = ({ logins, watched }: SharedState): SharedFailures => ({
  add: (pair, window) =>
    watched.ask(
      () => logins.add(pair, window),
      (answer) => countOf(answer, window),
      () => undefined,
    ),
  takeBack: (pair) =>
    watched.ask(
      () => logins.takeBack(pair),
      () => undefined,
      () => undefined,
    ),
  fail: (pair, left) =>
    watched.ask(
      () => logins.fail(pair, left),
      () => undefined,
      () => undefined,
    ),
  failed: (pair) =>
    watched.ask(
      () => logins.failed(pair),
      (answer) => {
        if (!Number.isSafeInteger(answer)) throw new StoreFault('The failed logins are no count');
        return answer as number;
      },
      () => undefined,
    ),
});

/** @throws StoreFault where it is no count within the window */
function countOf(answer: unknown, window: number): { count: number; left: number } {
  const { count, left } = (answer ?? {}) as { count?: unknown; left?: unknown };
  if (!Number.isSafeInteger(count)) throw new StoreFault('The failed logins are no count');
  if (!(typeof left === 'number' && left <= window)) throw new StoreFault('The time that is left is none');
  return { count: count as number, left };
}
