import { Injectable } from '@nestjs/common';
import type { Role } from '../common/access/current-user';
import { SecurityLog } from '../common/security-log';
import type { DomainEvents } from '../events/domain-event';
import { EventPublisher } from '../events/event-publisher';
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
    private readonly events: EventPublisher,
  ) {}

  /** All accounts, the oldest first. */
  list(): Promise<ListedUser[]> {
    return this.users.list();
  }

  /** It counts from the user's next request on. */
  async setRole(name: string, role: Role): Promise<(AccountChange & { from: Role }) | undefined> {
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    const { id, username, role: from } = user;
    const changed = from !== role;
    const isThere = await this.telling(user, 'role', async () => {
      const found = await this.users.setRole(username, role);
      return { result: found, isChange: found && changed };
    });
    if (!isThere) return undefined;
    if (changed) this.security.record('role.changed', { account: id, from, to: role });
    return { username, changed, from };
  }

  /** Tokens of the account end at once. */
  async setPassword(name: string, password: string): Promise<AccountChange | undefined> {
    const user = await this.users.findCredentials(name);
    if (!user) return undefined;
    const passwordHash = await this.hasher.hash(password);
    await this.telling(user, 'password', async () => {
      await this.users.setPassword(user.id, passwordHash);
      return { result: undefined, isChange: true };
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
    return this.telling(user, change, async () => {
      const isChange = await this.users[change === 'disabled' ? 'disable' : 'enable'](user.id);
      return { result: isChange, isChange };
    });
  }

  private async telling<Result>(
    { id, username }: Credentials,
    change: DomainEvents['user.updated']['change'],
    write: () => Promise<{ result: Result; isChange: boolean }>,
  ): Promise<Result> {
    const { result } = await this.events.publishing('user.updated', write, ({ isChange }) =>
      isChange ? [{ recordId: id, data: { username, change } }] : [],
    );
    return result;
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
