import { Injectable } from '@nestjs/common';
import type { CurrentUser, Role } from '../common/access/current-user';
import { Database, type Statement } from '../database/database';
import { UserEntity } from './user.entity';

export const USERNAME_CONSTRAINT = 'uq_users_username';

/** What a login compares with. */
export interface Credentials extends CurrentUser {
  passwordHash: string;
}

// Read on every request with a token: one prepared primary-key read, never cached, so that a deleted user or a
// changed role counts at once.
const CURRENT_USER: Statement = {
  name: 'users.current',
  quick: true,
  text: 'SELECT id, username, role FROM users WHERE id = $1',
};

const CREDENTIALS = {
  name: 'users.credentials',
  text: 'SELECT id, username, role, password_hash AS "passwordHash" FROM users WHERE username = $1',
};

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  async findCurrent(id: string): Promise<CurrentUser | undefined> {
    const [user] = await this.database.query<CurrentUser>(CURRENT_USER, [id]);
    return user;
  }

  async findCredentials(username: string): Promise<Credentials | undefined> {
    const [user] = await this.database.query<Credentials>(CREDENTIALS, [username]);
    return user;
  }

  /** @throws ConstraintViolation `uq_users_username` when the name is taken */
  async create(user: { username: string; passwordHash: string; role: Role }): Promise<CurrentUser> {
    const { id, username, role } = await this.database.orm((manager) =>
      manager.save(manager.create(UserEntity, user), { transaction: false }),
    );
    return { id, username, role };
  }

  /** False when there is no such user. */
  async setRole(username: string, role: Role): Promise<boolean> {
    const { affected } = await this.database.orm((manager) =>
      manager.update(UserEntity, { username }, { role }),
    );
    return affected === 1;
  }
}
