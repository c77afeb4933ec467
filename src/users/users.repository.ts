import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, IsNull, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { CurrentUser, Role } from '../platform/common/current-user';
import { DatabaseService, type Statement } from '../platform/database/database.service';
import { violates } from '../platform/database/pg-errors';
import { UserEntity } from './user.entity';

/** The name itself is taken, or another name with the same form. */
export const isUsernameTaken = (error: unknown): boolean =>
  violates(error, 'uq_users_username') || violates(error, 'uq_users_username_form');

/** A user with the current version of the account's tokens. */
interface TokenHolder extends CurrentUser {
  tokenVersion: number;
}

/** Stored data that a login is checked against. */
export interface Credentials extends TokenHolder {
  passwordHash: string;
  /** ISO 8601; null for an active account. */
  disabledAt: string | null;
}

/** An account as administrators see it. Times are ISO 8601. */
export interface ListedUser extends CurrentUser {
  createdAt: string;
  disabledAt: string | null;
}

// Read for every request with a token and never cached, so that deleting or disabling a user, a new password or a
// changed role takes effect immediately.
const CURRENT_USER: Statement = {
  name: 'users.current',
  reserved: true,
  text: `SELECT id, username, role, token_version AS "tokenVersion" FROM users
         WHERE id = ANY ($1::uuid[]) AND disabled_at IS NULL`,
};

// The database normalises the typed name, in the same way as the stored forms.
const CREDENTIALS: Statement = {
  name: 'users.credentials',
  text: `SELECT id, username, role, token_version AS "tokenVersion", password_hash AS "passwordHash",
           iso_time(disabled_at) AS "disabledAt" FROM users
         WHERE username = $1 OR username_form = normalize($1, NFKC)
         ORDER BY username = $1 DESC LIMIT 1`,
};

const ALL: Statement = {
  name: 'users.all',
  text: `SELECT id, username, role,
           iso_time(created_at) AS "createdAt",
           iso_time(disabled_at) AS "disabledAt" FROM users ORDER BY created_at, id`,
};

// Concurrent requests create the account only once, even inside a larger transaction.
const CREATE_UNLESS_TAKEN: Statement = {
  name: 'users.create-unless-taken',
  text: `INSERT INTO users (username, password_hash, role) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING id, username, role`,
};

// Only if the password is still the one that was compared: of two concurrent changes, one wins.
const REPLACE_PASSWORD: Statement = {
  name: 'users.replace-password',
  text: `UPDATE users SET password_hash = $3, token_version = token_version + 1
         WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL RETURNING token_version AS "tokenVersion"`,
};

const NAMES: Statement = {
  name: 'users.names',
  text: `SELECT id, username FROM users WHERE id = ANY ($1::uuid[]) ORDER BY username, id`,
};

/** Tokens have the version at the time of issue, so this ends them. */
const NEXT_VERSION = () => 'token_version + 1';

@Injectable()
export class UsersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns a user who exists and is not disabled. */
  findCurrent(id: string): Promise<TokenHolder | undefined> {
    return this.database.findById<TokenHolder>(CURRENT_USER, id);
  }

  /** Returns the user with exactly this name, else the one whose name has the same form; disabled users too. */
  async findCredentials(username: string): Promise<Credentials | undefined> {
    const [user] = await this.database.query<Credentials>(CREDENTIALS, [username]);
    return user;
  }

  /** Returns all accounts, the oldest first. */
  list(): Promise<ListedUser[]> {
    return this.database.query<ListedUser>(ALL);
  }

  /** @throws ConstraintViolation for which `isUsernameTaken` is true, if the name is taken */
  async create(user: {
    id?: string;
    username: string;
    passwordHash: string;
    role: Role;
  }): Promise<CurrentUser> {
    const { id, username, role } = await this.database.orm((manager) =>
      manager.save(manager.create(UserEntity, user), { transaction: false }),
    );
    return { id, username, role };
  }

  /** Returns undefined if the name, or another with the same form, is taken. */
  async createUnlessTaken(
    username: string,
    passwordHash: string,
    role: Role,
  ): Promise<CurrentUser | undefined> {
    const [user] = await this.database.query<CurrentUser>(CREATE_UNLESS_TAKEN, [
      username,
      passwordHash,
      role,
    ]);
    return user;
  }

  /** Returns false if there is no user with exactly this name. */
  setRole(username: string, role: Role): Promise<boolean> {
    return this.update({ username }, { role });
  }

  /** Sets the password and ends the user's tokens. */
  setPassword(id: string, passwordHash: string): Promise<boolean> {
    return this.update({ id }, { passwordHash, tokenVersion: NEXT_VERSION });
  }

  /**
   * Replaces the password and ends the user's tokens.
   * @returns the new token version; undefined if the stored password no longer matches `oldHash`
   */
  async replacePassword(id: string, oldHash: string, newHash: string): Promise<number | undefined> {
    const [changed] = await this.database.query<{ tokenVersion: number }>(REPLACE_PASSWORD, [
      id,
      oldHash,
      newHash,
    ]);
    return changed?.tokenVersion;
  }

  /** Ends the user's tokens. Returns false if there is no such user. */
  endTokens(id: string): Promise<boolean> {
    return this.update({ id }, { tokenVersion: NEXT_VERSION });
  }

  /** Returns the names of these accounts, disabled ones too. */
  findNames(ids: readonly string[]): Promise<{ id: string; username: string }[]> {
    return this.database.query(NAMES, [ids]);
  }

  /** Disables the account and ends its tokens permanently. Returns false if it was disabled already. */
  disable(id: string): Promise<boolean> {
    return this.update(
      { id, disabledAt: IsNull() },
      { disabledAt: () => 'now()', tokenVersion: NEXT_VERSION },
    );
  }

  /** Returns false if the account was not disabled. */
  enable(id: string): Promise<boolean> {
    return this.update({ id, disabledAt: Not(IsNull()) }, { disabledAt: null });
  }

  private async update(
    where: FindOptionsWhere<UserEntity>,
    changes: QueryDeepPartialEntity<UserEntity>,
  ): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.update(UserEntity, where, changes));
    return affected === 1;
  }
}
