import type { CurrentUser, Role } from '../common/current-user';
import type { Environment } from '../config/environment';
import { ForbiddenError } from '../common/errors/service-error';

/**
 * Returns SQL that decides if a row may be read. The service calls it when the application starts and for
 * statements, never with a value: the text must be the same for all users.
 * @param row the table, or its alias in a statement
 * @param parameters SQL placeholders for the values, in the order of their types
 */
export type ReadCondition = (row: string, parameters: readonly string[]) => string;

/** Rows that a user may read: all, none, or those for which the conditions hold with these values. */
export type ReadValues = readonly unknown[] | 'everything' | 'nothing';

/** Read rules of an access policy. */
export interface ReadableRecords {
  /** PostgreSQL types of the values, in order, such as `uuid` or `text[]`. */
  readonly types: readonly string[];
  /**
   * Returns the values for a user, one for each type. Called once by each operation of a service. An error ends the
   * operation.
   */
  values(user: CurrentUser): ReadValues | Promise<ReadValues>;
  /** Conditions by kind of record. Everyone may read kinds without a condition. */
  readonly conditions: Readonly<Record<string, ReadCondition>>;
}

/** A record with a creator, of a kind of the service or of an extension. */
export interface OwnedRecord {
  kind: Exclude<RecordKind, 'ingredient'>;
  id: string;
  /** The id of the user who created it. */
  createdBy: string;
}

/** The service's own kinds of records. An extension registers its own under `RECORD_KINDS`. */
export type RecordKind = 'formula' | 'project' | 'color' | 'ingredient' | (string & {});

/** A use of the service without a record: an AI capability by its name, or an action of an extension. */
export type Action =
  | 'predict-formula'
  | 'explore-formula'
  | 'extract-formula'
  | 'search-keywords'
  | 'recommend-colorants'
  | (string & {});

/** Records of a kind that a user may change: all, the user's own, none, or some that the policy decides one by one. */
export type ChangeScope = 'all' | 'own' | 'some' | 'none';

type Decision = boolean | Promise<boolean>;

/**
 * Decides in one place which user may do what. By default, every signed-in user reads everything, writes
 * ingredients and creates records. An extension replaces it by providing `CUSTOM_ACCESS_POLICY`.
 */
export abstract class AccessPolicy {
  /** Decides if this user may change or delete this record. Called only for records that the user may read. */
  abstract canChange(user: CurrentUser, record: OwnedRecord): Decision;
  /** Decides if this user may write the runtime configuration and test a provider. */
  abstract canConfigure(user: CurrentUser): Decision;

  /** Decides if this user may change or delete this ingredient, which has no creator. By default everyone may. */
  canChangeIngredient(_user: CurrentUser, _id: string): Decision {
    return true;
  }

  /** Decides if this user may create a record of this kind. By default everyone may. */
  canCreate(_user: CurrentUser, _kind: RecordKind): Decision {
    return true;
  }

  /** Decides if this user may perform this action. By default everyone may. */
  canUse(_user: CurrentUser, _action: Action): Decision {
    return true;
  }

  /**
   * Returns which records of this kind the user may change. Front ends take it as a hint; the trash and replacements
   * of an ingredient consider no others. `canChange` and `canChangeIngredient` make the decision. By default each
   * record is decided separately.
   */
  changeScope(_user: CurrentUser, _kind: RecordKind): ChangeScope | Promise<ChangeScope> {
    return 'some';
  }

  /** Returns which records may be read; absent: all. Read once, when the application starts. */
  readable?(): ReadableRecords;
}

/**
 * Records are changed and deleted by their creator or an admin. The configuration is written by users with
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

/** Returns true if the user's role may import files. Each record needs its own right, too. */
export const mayImportFiles = ({ importRole }: Environment, { role }: CurrentUser): boolean =>
  importRole === undefined || [importRole, 'admin'].includes(role);

/**
 * Waits for a decision of the access policy.
 * @throws ForbiddenError if it is false
 */
export async function requireAllowed(decision: boolean | Promise<boolean>): Promise<void> {
  if (!(await decision)) throw new ForbiddenError();
}
