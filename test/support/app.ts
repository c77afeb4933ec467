import { randomUUID } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import type { Test, TestingModuleBuilder } from '@nestjs/testing';
import supertest from 'supertest';
import { AppModule } from '../../src/app.module';
import { parseEnvironment } from '../../src/platform/config/environment';
import { listeningApp } from '../../src/testing/listening-app';
import { createMigratedDatabase, TEST_SERVER } from './databases';

export interface Account {
  id: string;
  username: string;
  role: string;
  token: string;
  /** Requests signed with the account's token. */
  get(path: string): supertest.Test;
  post(path: string, body?: object): supertest.Test;
  put(path: string, body?: object): supertest.Test;
  delete(path: string): supertest.Test;
}

export interface TestApp {
  app: INestApplication;
  /** Requests without a token. */
  http: ReturnType<typeof supertest>;
  register(username?: string, password?: string): Promise<Account>;
  close(): Promise<void>;
}

interface BootOptions {
  /** Settings, as environment variables. */
  settings?: Record<string, string>;
  /** Replacements in the module, e.g. of the clock. */
  adjust?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** What is booted instead of the plain AppModule. */
  module?: Parameters<typeof Test.createTestingModule>[0];
}

/**
 * The whole application on a database of its own: embedded in memory, or on the server TEST_DATABASE_URL
 * names. The rate limit is out of the way unless a test sets it.
 */
export async function bootApp({
  settings = {},
  adjust = (b) => b,
  module,
}: BootOptions = {}): Promise<TestApp> {
  const database = TEST_SERVER && !settings.DATA_DIR ? await createMigratedDatabase(TEST_SERVER) : undefined;
  const variables = {
    NODE_ENV: 'test',
    THROTTLE_LIMIT: '1000000',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...settings,
  };
  // One listening socket for all requests of a test: supertest would open one for each.
  const app = await listeningApp(
    module ?? { imports: [AppModule] },
    parseEnvironment(variables),
    adjust,
  ).catch(async (error: unknown) => {
    await database?.drop();
    throw error;
  });
  const close = async () => {
    await app.close();
    await database?.drop();
  };
  const http = supertest(app.getHttpServer());

  const register = async (username = `u-${randomUUID()}`, password = 'secret') => {
    const { body } = await http.post('/api/auth/register').send({ username, password }).expect(201);
    return account(http, body.data);
  };
  return { app, http, register, close };
}

function account(http: TestApp['http'], user: Pick<Account, 'id' | 'username' | 'role' | 'token'>): Account {
  const signed = (test: supertest.Test) => test.set('Authorization', `Bearer ${user.token}`);
  return {
    ...user,
    get: (path) => signed(http.get(path)),
    post: (path, body) => signed(http.post(path)).send(body),
    put: (path, body) => signed(http.put(path)).send(body),
    delete: (path) => signed(http.delete(path)),
  };
}
