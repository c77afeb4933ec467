import { Injectable } from '@nestjs/common';
import type { CurrentUser, Role } from '../common/access/current-user';
import { Database, type Statement } from '../database/database';
import { EntityTable } from '../database/entity-table';
import { UserEntity } from './user.entity';

export const USERNAME_CONSTRAINT = 'uq_users_username';

/** What a login compares with. */
export interface Credentials extends CurrentUser {
  passwordHash: string;
}

const table = new EntityTable(UserEntity);
const CURRENT = ['id', 'username', 'role'];

// Read for every request with a token and never cached, so that a deleted user or a changed role counts at
// once.
const CURRENT_USER: Statement = {
  name: 'users.current',
  text: `SELECT ${table.shown(CURRENT)} FROM ${table.name} WHERE id = ANY ($1::uuid[])`,
};

const CREDENTIALS: Statement = {
  name: 'users.credentials',
  text: `SELECT ${table.shown([...CURRENT, 'passwordHash'])} FROM ${table.name} WHERE username = $1`,
};

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  findCurrent(id: string): Promise<CurrentUser | undefined> {
    return this.database.findById<CurrentUser>(CURRENT_USER, id);
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
