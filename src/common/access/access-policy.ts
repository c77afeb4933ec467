import type { CurrentUser, Role } from './current-user';

/** A record that belongs to somebody. */
export interface OwnedRecord {
  kind: 'formula' | 'project';
  id: string;
  /** The id of the user who created it. */
  createdBy: string;
}

type Decision = boolean | Promise<boolean>;

/**
 * Who may do what, in one place. Everyone signed in reads everything, writes ingredients and creates records;
 * what is left to decide is asked here. An extension replaces it by providing `CUSTOM_ACCESS_POLICY`.
 */
export abstract class AccessPolicy {
  /** May this user change or delete this record? */
  abstract canChange(user: CurrentUser, record: OwnedRecord): Decision;
  /** May this user write the runtime configuration and test a provider? */
  abstract canConfigure(user: CurrentUser): Decision;
}

/**
 * A record is changed and deleted by its creator or an admin; configuration is written by the users of
 * `configWriteRole` and admins.
 */
export class OwnershipPolicy extends AccessPolicy {
  constructor(private readonly configWriteRole: Role) {
    super();
  }

  canChange(user: CurrentUser, record: OwnedRecord): boolean {
    return user.role === 'admin' || user.id === record.createdBy;
  }

  canConfigure(user: CurrentUser): boolean {
    return user.role === 'admin' || user.role === this.configWriteRole;
  }
}
