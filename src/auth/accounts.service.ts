import { Injectable } from '@nestjs/common';
import type { Role } from '../common/access/current-user';
import { RegisteredRoles } from '../common/access/registered-roles';
import { SecurityLog } from '../common/security-log';
import { type Credentials, type ListedUser, UsersRepository } from '../users/users.repository';
import { PasswordHasher } from './password-hasher';

/** What a change found: the account's stored name, and whether there was anything to change. */
export interface AccountChange {
  username: string;
  changed: boolean;
}

/**
 * Looks after accounts that are there. A name finds its account as it does at a login; where there is none,
 * the answer is undefined.
 */
@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly security: SecurityLog,
    private readonly roles: RegisteredRoles,
  ) {}

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
    if (!user || !(await this.users.setRole(user.username, role))) return undefined;
    const { id, username, role: from } = user;
    const changed = from !== role;
    if (changed) this.security.record('role.changed', { account: id, from, to: role });
    return { username, changed, from };
  }

  /** Tokens of the account end at once. */
  async setPassword(name: string, password: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    await this.users.setPassword(user.id, await this.hasher.hash(password));
    return this.changed(user, 'password', true);
  }

  /** Tokens of the account end at once, and it cannot be signed in to; what it made stays its own. */
  async disable(name: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    return user && this.changed(user, 'disabled', await this.users.disable(user.id));
  }

  /** It can be signed in to again. */
  async enable(name: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    return user && this.changed(user, 'enabled', await this.users.enable(user.id));
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
