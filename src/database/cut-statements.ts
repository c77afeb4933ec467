import { SilentDatabaseError } from './silent-database-error';

/** Why a statement was ended before its end. */
export type CutReason =
  | 'timeout' // the server's limit
  | 'lock' // it waited for a lock for too long
  | 'idle' // its transaction asked nothing for too long
  | 'cancelled' // its client had gone
  | 'patience'; // it was not answered, and its connection given up

const STATES: Readonly<Record<string, CutReason>> = { '55P03': 'lock', '25P03': 'idle' };

const CANCELLED_STATE = '57014';

/** `pg`'s own words where a statement's `patience` is over. */
const NOT_ANSWERED = 'Query read timeout';

/**
 * @param error of the driver, or TypeORM's copy of it
 * @param isAbandoned its client had gone: the server's own words for that may be of another language
 * @returns undefined where nothing was cut
 */
export function cutReason(error: unknown, isAbandoned = false): CutReason | undefined {
  const { code, message, driverError } = (error ?? {}) as Record<'code' | 'message' | 'driverError', unknown>;
  if (error instanceof SilentDatabaseError || driverError instanceof SilentDatabaseError) return 'patience';
  if (message === NOT_ANSWERED) return 'patience';
  if (typeof code !== 'string') return undefined;
  if (code === CANCELLED_STATE) {
    return isAbandoned || /user request/.test(String(message)) ? 'cancelled' : 'timeout';
  }
  return STATES[code];
}
