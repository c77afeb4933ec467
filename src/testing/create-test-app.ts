import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { INestApplication, InjectionToken } from '@nestjs/common';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { AppModule, type RegisterOptions } from '../app.module';
import { AccessTokens } from '../platform/authentication/access-tokens';
import { AccountsService } from '../users/accounts.service';
import type { Role } from '../platform/common/current-user';
import { Clock } from '../platform/common/clock';
import { parseEnvironment } from '../platform/config/environment';
import { settingsSchemasOf } from '../platform/config/extra-settings';
import { UsersRepository } from '../users/users.repository';
import { listeningApp } from './listening-app';
import { TestAccount, TestClient } from './test-client';

export interface TestAppOptions extends RegisterOptions {
  /**
   * Environment variables; those of the process are ignored. Without `DATABASE_URL` and `DATA_DIR` the database is
   * in memory. Unless `THROTTLE_LIMIT` is set, the rate limit is too high to matter.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Clock for windows and expiry, except that of tokens: a `ManualClock` for example. */
  readonly clock?: Clock;
  /** Further changes to the testing module: `builder.overrideProvider(...)`. */
  readonly adjust?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

export interface TestApp {
  readonly app: INestApplication;
  /** Address on this machine only: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Sends requests without a token. */
  readonly anonymous: TestClient;
  /** Returns a provider of any module. */
  get<T>(token: InjectionToken<T>): T;
  /**
   * Returns the account with that name, and creates it if necessary. Its requests have a token.
   * @param username a new name by default
   * @param role role of a new account: `engineer` by default
   */
  account(username?: string, options?: { role?: Role }): Promise<TestAccount>;
  /** Stops the service. A database in memory is lost. */
  close(): Promise<void>;
}

/**
 * Starts the service with extensions on a free port.
 * @throws errors of the start: EnvironmentError, ExtensionError …
 */
export async function createTestApp({
  settings = {},
  clock,
  adjust = (builder) => builder,
  ...additions
}: TestAppOptions = {}): Promise<TestApp> {
  const root = AppModule.register(additions);
  const schemas = await settingsSchemasOf(root);
  const environment = parseEnvironment({ NODE_ENV: 'test', THROTTLE_LIMIT: '1000000', ...settings }, schemas);
  const app = await listeningApp({ imports: [root] }, environment, (builder) =>
    adjust(clock ? builder.overrideProvider(Clock).useValue(clock) : builder),
  );
  const url = await app.getUrl();
  const get = <T>(token: InjectionToken<T>): T => app.get(token, { strict: false });
  return {
    app,
    url,
    anonymous: new TestClient(url),
    get,
    account: async (username = `u-${randomUUID()}`, { role } = {}) => {
      const user = await get(AccountsService).provision({ username, role, linkExisting: true });
      const { tokenVersion } = (await get(UsersRepository).findCurrent(user.id))!;
      return new TestAccount(url, user, get(AccessTokens).issue(user, tokenVersion));
    },
    close: () => app.close(),
  };
}
