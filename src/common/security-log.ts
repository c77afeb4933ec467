import { Injectable, Logger } from '@nestjs/common';
import type { Role } from './current-user';
import { currentUser } from './request-context';

/**
 * What is recorded, by the name of its event (docs/security-log.md). `account` is the id of the user that it
 * happens to. No value of a setting, no password and no name that somebody typed: it may be a password.
 */
export interface SecurityEvents {
  /** `user`: the account that was asked for, null where there is none of that name. */
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
  /** `id` is deleted, and `into` has its lines. */
  'ingredient.merged': { id: string; into: string };
  /** `kind`: formula, project, ingredient … */
  'record.deleted': { kind: string; id: string };
  /** An extension's own, as its routes are below `ext/`. */
  [event: `ext.${string}`]: Readonly<Record<string, unknown>>;
}

/**
 * The log of what concerns security: a line for each event, with `user`, the id of who asked for it (null:
 * nobody signed in, or work that no request asked for). The logger adds the request's id.
 */
@Injectable()
export class SecurityLog {
  private readonly logger = new Logger('Security');

  /**
   * Writes a line.
   * @param event what happened; an extension's own begin with `ext.`
   * @param details ids and fixed words, never what somebody typed
   */
  record<Name extends keyof SecurityEvents>(event: Name, details: SecurityEvents[Name]): void {
    this.logger.log({ event, user: currentUser()?.id ?? null, ...details }, event);
  }
}
