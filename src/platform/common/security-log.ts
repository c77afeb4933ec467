import { Injectable, Logger } from '@nestjs/common';
import type { Role } from './current-user';
import { currentUser } from './request-context';

/**
 * Security events by name (docs/security-log.md). `account` is the id of the affected user. Details never contain
 * values of settings, passwords or names that a client typed, because such a name may be a password.
 */
export interface SecurityEvents {
  /** `user`: id of the requested account; null if there is no account of that name. */
  'login.refused': {
    user: string | null;
    reason: 'unknown user' | 'wrong password' | 'disabled' | 'too many';
  };
  'access.denied': { method: string; path: string };
  'user.changed': {
    account: string;
    change: 'created' | 'password' | 'signed-out' | 'disabled' | 'enabled';
  };
  'role.changed': { account: string; from: Role; to: Role };
  'configuration.changed': { fields: readonly string[] };
  /** The ingredient `id` has been deleted, and its formula lines now use `into`. */
  'ingredient.merged': { id: string; into: string };
  /** `kind`: formula, project, ingredient … */
  'record.deleted': { kind: string; id: string };
  /** An event of an extension. The prefix `ext.` corresponds to the `ext/` of its routes. */
  [event: `ext.${string}`]: Readonly<Record<string, unknown>>;
}

/**
 * The log of security events: one line per event, with `user`, the id of the user who made the request (null if
 * anonymous, or outside requests). The logger adds the request id.
 */
@Injectable()
export class SecurityLog {
  private readonly logger = new Logger('Security');

  /**
   * Writes a line.
   * @param event name of the event; those of extensions begin with `ext.`
   * @param details ids and fixed words, never text that a client typed
   */
  record<Name extends keyof SecurityEvents>(event: Name, details: SecurityEvents[Name]): void {
    this.logger.log({ event, user: currentUser()?.id ?? null, ...details }, event);
  }
}
