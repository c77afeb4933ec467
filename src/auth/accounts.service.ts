import { Injectable } from '@nestjs/common';
import { type CurrentUser, type Role, ROLES } from '../common/current-user';
import { ConflictError, InvalidInputError, UnauthorizedError } from '../common/errors/service-error';
import { RegisteredRoles } from '../common/registered-roles';
import { SecurityLog } from '../common/security-log';
import { text } from '../common/texts/text';
import { isUuid } from '../common/validation/uuid';
import type { DomainEvents } from '../events/domain-event';
import { EventPublisher } from '../events/event-publisher';
import { NO_PASSWORD, PasswordHasher } from './password-hasher';
import { RestrictedRoutes } from './restricted-routes';
import { USERNAME_FAULTS, usernameFault } from './users/username';
import { type Credentials, type ListedUser, UsersRepository } from './users/users.repository';

/** What a change found: the account's stored name, and whether there was anything to change. */
export interface AccountChange {
  username: string;
  changed: boolean;
}

/** An account that somebody else vouches for. */
export interface Provision {
  /** By the rules of registration; exactly this name is the account's. */
  username: string;
  /** Of an account that is made, `engineer` unless given; one that is there keeps its own. */
  role?: Role;
  /** Also an account that has a password, which goes on letting its owner in. Otherwise it is refused. */
  linkExisting?: boolean;
}

/**
 * Looks after accounts. A name finds its account as it does at a login; where there is none,
 * the answer is undefined.
 */
@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly security: SecurityLog,
    private readonly roles: RegisteredRoles,
    private readonly events: EventPublisher,
    private readonly routes: RestrictedRoutes,
  ) {}

  /** The account of an id; undefined where there is none or it is disabled. */
  async find(id: string): Promise<CurrentUser | undefined> {
    const user = isUuid(id) ? await this.users.findCurrent(id) : undefined;
    return user && shown(user);
  }

  /**
   * The account of a name as it is found at a login (its form counts: compare `username` where two names may
   * not be one account); undefined where there is none or it is disabled.
   */
  async findByName(name: string): Promise<CurrentUser | undefined> {
    if (UNSTORABLE.test(name)) return undefined;
    const user = await this.users.findCredentials(name);
    return user?.disabledAt === null ? shown(user) : undefined;
  }

  /**
   * The account that a strategy's user has here, made without a password when there is none. There is one,
   * also when many requests want it at the same time.
   * @throws InvalidInputError for a name or role that no account can have; ConflictError when the name is
   *   one's with a password, or has the form of another's; UnauthorizedError when the account is disabled
   */
  async provision({
    username: given,
    role = ROLES[0]!,
    linkExisting = false,
  }: Provision): Promise<CurrentUser> {
    const username = given.trim();
    checkUsername(username);
    this.roles.check(role);
    const isThere = async () => {
      const user = await this.users.findCredentials(username);
      return user && mayBeGiven(user, username, linkExisting);
    };
    const found = await isThere();
    if (found) return found;
    const made = await this.events.transaction(async () => {
      const account = await this.users.createUnlessTaken(username, NO_PASSWORD, role);
      if (account) await this.events.publish('user.created', account.id, { username, role });
      return account;
    });
    if (made) {
      this.security.record('user.changed', { account: made.id, change: 'created' });
      return made;
    }
    // Another request has been faster.
    const other = await isThere();
    if (!other) throw nameTaken();
    return other;
  }

  /** The names of these accounts, disabled ones too, ordered by name; ids of nobody are left out. */
  findNames(ids: readonly string[]): Promise<{ id: string; username: string }[]> {
    return this.users.findNames(ids);
  }

  /** The routes that `@Roles` restricts and that a user of this role may use, as `POST /api/ext/tests/:id`. */
  restrictedRoutesOf(role: Role): string[] {
    return this.routes.admitting(role);
  }

  /** All accounts, the oldest first. */
  list(): Promise<ListedUser[]> {
    return this.users.list();
  }

  /**
   * It counts from the user's next request on.
   * @throws InvalidInputError for a role that is not registered
   */
  async setRole(name: string, role: Role): Promise<(AccountChange & { from: Role }) | undefined> {
    this.roles.check(role);
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    const { id, username, role: from } = user;
    const changed = from !== role;
    const isThere = await this.events.transaction(async () => {
      const found = await this.users.setRole(username, role);
      if (found && changed) await this.publishChange(user, 'role');
      return found;
    });
    if (!isThere) return undefined;
    if (changed) this.security.record('role.changed', { account: id, from, to: role });
    return { username, changed, from };
  }

  /** Tokens of the account end at once. One that had no password can be signed in to with this one. */
  async setPassword(name: string, password: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    const passwordHash = await this.hasher.hash(password);
    await this.events.transaction(async () => {
      await this.users.setPassword(user.id, passwordHash);
      await this.publishChange(user, 'password');
    });
    return this.changed(user, 'password', true);
  }

  /** Tokens of the account end at once, and it cannot be signed in to; what it made stays its own. */
  async disable(name: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    return user && this.changed(user, 'disabled', await this.switched(user, 'disabled'));
  }

  /** It can be signed in to again. */
  async enable(name: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    return user && this.changed(user, 'enabled', await this.switched(user, 'enabled'));
  }

  private switched(user: Credentials, change: 'disabled' | 'enabled'): Promise<boolean> {
    return this.events.transaction(async () => {
      const isChange = await this.users[change === 'disabled' ? 'disable' : 'enable'](user.id);
      if (isChange) await this.publishChange(user, change);
      return isChange;
    });
  }

  private publishChange(
    { id, username }: Credentials,
    change: DomainEvents['user.updated']['change'],
  ): Promise<void> {
    return this.events.publish('user.updated', id, { username, change });
  }

  private changed(
    { id, username }: Credentials,
    change: 'password' | 'disabled' | 'enabled',
    changed: boolean,
  ): AccountChange {
    if (changed) this.security.record('user.changed', { account: id, change });
    return { username, changed };
  }
}

/** What no database can store is nobody's name. */
const UNSTORABLE = /\0|\p{Cs}/u;

const shown = ({ id, username, role }: CurrentUser): CurrentUser => ({ id, username, role });

const nameTaken = () => new ConflictError(text('auth.username-taken'));

function checkUsername(username: string): void {
  const fault = usernameFault(username);
  const message = username === '' ? text('field.required') : fault && USERNAME_FAULTS[fault];
  if (message) throw InvalidInputError.of([{ field: 'username', message }]);
}

/** Two names of one form may be two people to whoever vouches for them: only the name itself will do. */
function mayBeGiven(user: Credentials, username: string, linkExisting: boolean): CurrentUser {
  const isTheirs = user.username === username && (linkExisting || user.passwordHash === NO_PASSWORD);
  if (!isTheirs) throw nameTaken();
  if (user.disabledAt !== null) throw new UnauthorizedError();
  return shown(user);
}
