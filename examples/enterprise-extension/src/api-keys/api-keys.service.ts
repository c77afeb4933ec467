import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AccountsService,
  type CurrentUser,
  DatabaseService,
  SecurityLog,
  type Statement,
} from 'formula-development-service';

const STORE: Statement = {
  name: 'ext-api-keys.store',
  text: `
    INSERT INTO ext_api_keys (hash, username) VALUES ($1, $2)
    ON CONFLICT (username) DO UPDATE SET hash = excluded.hash`,
};

const OWNER: Statement = {
  name: 'ext-api-keys.owner',
  text: 'SELECT username FROM ext_api_keys WHERE hash = $1',
};

/** Of 256 random bits a quick hash is enough: there is nothing to guess. */
const hashOf = (key: string) => hash('sha256', key);

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: DatabaseService,
    private readonly accounts: AccountsService,
    private readonly security: SecurityLog,
  ) {}

  /**
   * A key for an instrument, which reads what its team may read. It is shown this once; one that the
   * instrument has had ends.
   */
  async issue(instrument: string): Promise<{ key: string; username: string }> {
    const key = `key-${randomBytes(32).toString('base64url')}`;
    const { id, username } = await this.provision(`instrument:${instrument}`);
    await this.database.query(STORE, [hashOf(key), username]);
    this.security.record('ext.api-keys.issued', { account: id });
    return { key, username };
  }

  // #region provision
  /** Whose key it is; null where nobody's. */
  async ownerOf(key: string): Promise<CurrentUser | null> {
    const [owner] = await this.database.query<{ username: string }>(OWNER, [hashOf(key)]);
    return owner ? this.provision(owner.username) : null;
  }

  /** The account of this name, made without a password when there is none: nobody signs in to it. */
  private provision(username: string): Promise<CurrentUser> {
    return this.accounts.provision({ username, role: 'viewer' });
  }
  // #endregion
}
