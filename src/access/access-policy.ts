import type { CurrentUser, Role } from '../common/current-user';
import type { ReadableRecords } from './readable-records';

/** A record that was created by somebody: the service's, or of a kind that an extension names. */
export interface OwnedRecord {
  kind: Exclude<RecordKind, 'ingredient'>;
  id: string;
  /** The id of the user who created it. */
  createdBy: string;
}

/** The service's own kinds of records; an extension names its own under `RECORD_KINDS`. */
export type RecordKind = 'formula' | 'project' | 'color' | 'ingredient' | (string & {});

/** What can be done without being a record: an AI capability by its name, or an action of an extension. */
export type Action =
  | 'predict-formula'
  | 'explore-formula'
  | 'extract-formula'
  | 'search-keywords'
  | 'recommend-colorants'
  | (string & {});

/**
 * All records of a kind, those that the user has created, none, or some, of which the policy decides one by one.
 */
export type ChangeScope = 'all' | 'own' | 'some' | 'none';

type Decision = boolean | Promise<boolean>;

/**
 * Who may do what, in one place. Everyone signed in reads everything, writes ingredients and creates records,
 * unless a policy says otherwise. An extension replaces it by providing `CUSTOM_ACCESS_POLICY`.
 */
export abstract class AccessPolicy {
  /** May this user change or delete this record? Only for records that the user may read. */
  abstract canChange(user: CurrentUser, record: OwnedRecord): Decision;
  /** May this user write the runtime configuration and test a provider? */
  abstract canConfigure(user: CurrentUser): Decision;

  /** May this user change or delete this ingredient, which has no creator? By default everyone. */
  canChangeIngredient(_user: CurrentUser, _id: string): Decision {
    return true;
  }

  /** May this user create a record of this kind? By default everyone. */
  canCreate(_user: CurrentUser, _kind: RecordKind): Decision {
    return true;
  }

  /** May this user do this? By default everyone. */
  canUse(_user: CurrentUser, _action: Action): Decision {
    return true;
  }

  /**
   * Which records of this kind may this user change? A front end offers accordingly, and a replacement of an
   * ingredient leaves other formulas out; `canChange` and `canChangeIngredient` decide about each record. By default
   * each record is a question of its own.
   */
  changeScope(_user: CurrentUser, _kind: RecordKind): ChangeScope | Promise<ChangeScope> {
    return 'some';
  }

  /** Which records may be read; absent: all. Read once, when the application starts. */
  readable?(): ReadableRecords;
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

  override changeScope(user: CurrentUser, kind: RecordKind): ChangeScope {
    return user.role === 'admin' || kind === 'ingredient' ? 'all' : 'own';
  }
}
