import { Injectable } from '@nestjs/common';
import { type CurrentUser, type Role, ROLES } from '../platform/common/current-user';
import { ConflictError, InvalidInputError, UnauthorizedError } from '../platform/common/errors/service-error';
import { RegisteredRoles } from '../platform/common/registered-roles';
import { SecurityLog } from '../platform/common/security-log';
import { text } from '../platform/texts/text';
import { isUuid } from '../platform/validation/uuid';
import type { DomainEvents } from '../platform/events/domain-event';
import { EventPublisher } from '../platform/events/event-publisher';
import { NO_PASSWORD, PasswordHasher } from './password-hasher';
import { USERNAME_FAULTS, usernameFault } from './credentials.dto';
import { type Credentials, type ListedUser, UsersRepository } from './users.repository';

/** Result of a change: the account's stored name, and whether the change had any effect. */
export interface AccountChange {
  username: string;
  changed: boolean;
}

/** An account for a user that an extension has authenticated. */
export interface Provision {
  /** Must follow the rules of registration. The account has exactly this name. */
  username: string;
  /** Role of a new account, `engineer` by default. An existing account keeps its role. */
  role?: Role;
  /** Also accepts an existing account with a password, which stays valid. By default such an account is refused. */
  linkExisting?: boolean;
}

/**
 * Manages accounts. A name finds its account in the same way as at a login. Methods return undefined if there is no
 * such account.
 */
@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly security: SecurityLog,
    private readonly roles: RegisteredRoles,
    private readonly events: EventPublisher,
  ) {}

  /** Returns the account with this id; undefined if there is none or it is disabled. */
  async find(id: string): Promise<CurrentUser | undefined> {
    const user = isUuid(id) ? await this.users.findCurrent(id) : undefined;
    return user && shown(user);
  }

  /**
   * Returns the account that a login with this name finds; undefined if there is none or it is disabled. A name
   * with the same form is found too: compare `username` if two such names may mean different people.
   */
  async findByName(name: string): Promise<CurrentUser | undefined> {
    if (UNSTORABLE.test(name)) return undefined;
    const user = await this.users.findCredentials(name);
    return user?.disabledAt === null ? shown(user) : undefined;
  }

  /**
   * Returns the account of a user that a strategy has authenticated, and creates it without a password if needed.
   * Only one is created, even if several requests need it at the same time.
   * @throws InvalidInputError for an invalid name or role; ConflictError if the account has a password, or its name
   *   only the same form; UnauthorizedError if the account is disabled
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
    // Another request has created the account first.
    const other = await isThere();
    if (!other) throw nameTaken();
    return other;
  }

  /** Returns all accounts, the oldest first. */
  list(): Promise<ListedUser[]> {
    return this.users.list();
  }

  /**
   * Sets the role of an account. It applies from the user's next request on.
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
      if (found && changed) await this.events.publish('user.updated', id, { username, change: 'role' });
      return found;
    });
    if (!isThere) return undefined;
    if (changed) this.security.record('role.changed', { account: id, from, to: role });
    return { username, changed, from };
  }

  /** Sets the password and ends all tokens of the account. An account without a password can sign in afterwards. */
  async setPassword(name: string, password: string): Promise<AccountChange | undefined> {
    const hash = await this.hasher.hash(password);
    return this.change(name, 'password', (id) => this.users.setPassword(id, hash));
  }

  /** Disables the account and ends its tokens. Records that it created stay its own. */
  disable(name: string): Promise<AccountChange | undefined> {
    return this.change(name, 'disabled', (id) => this.users.disable(id));
  }

  /** Lets a disabled account sign in again. */
  enable(name: string): Promise<AccountChange | undefined> {
    return this.change(name, 'enabled', (id) => this.users.enable(id));
  }

  private async change(name: string, change: UserChange, write: (id: string) => Promise<boolean>) {
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    const changed = await changeUser(this.events, this.security, user, change, () => write(user.id));
    return { username: user.username, changed };
  }
}

/** Matches characters that PostgreSQL cannot store, so no account has such a name. */
const UNSTORABLE = /\0|\p{Cs}/u;

const shown = ({ id, username, role }: CurrentUser): CurrentUser => ({ id, username, role });

type UserChange = Exclude<DomainEvents['user.updated']['change'], 'role'>;

/** Writes a change of an account, publishes it and records it, unless nothing was to be changed. */
export async function changeUser<Result>(
  events: EventPublisher,
  security: SecurityLog,
  { id, username }: CurrentUser,
  change: UserChange,
  write: () => Promise<Result>,
): Promise<Result> {
  const result = await events.transaction(async () => {
    const written = await write();
    if (written) await events.publish('user.updated', id, { username, change });
    return written;
  });
  if (result) security.record('user.changed', { account: id, change });
  return result;
}

const nameTaken = () => new ConflictError(text('auth.username-taken'));

function checkUsername(username: string): void {
  const fault = usernameFault(username);
  const message = username === '' ? text('field.required') : fault && USERNAME_FAULTS[fault];
  if (message) throw InvalidInputError.of([{ field: 'username', message }]);
}

/** Names with the same form may belong to different people elsewhere, so only the exact name is accepted. */
function mayBeGiven(user: Credentials, username: string, linkExisting: boolean): CurrentUser {
  const isTheirs = user.username === username && (linkExisting || user.passwordHash === NO_PASSWORD);
  if (!isTheirs) throw nameTaken();
  if (user.disabledAt !== null) throw new UnauthorizedError();
  return shown(user);
}
