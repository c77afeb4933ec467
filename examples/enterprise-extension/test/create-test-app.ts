import type { AddressInfo } from 'node:net';
import type { InjectionToken, Provider, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsService, AppModule, type Clock, configureApp } from 'formula-development-service';

/** What `formula-development-service/testing` will give. */
export interface Answer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export interface TestClient {
  user?: { id: string; username: string; role: string };
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post: Send;
  put: Send;
  patch: Send;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestApp {
  url: string;
  anonymous: TestClient;
  get<T>(token: InjectionToken<T>): T;
  account(username: string, options?: { role?: string }): Promise<Required<TestClient>>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  extensions?: Type[];
  providers?: Provider[];
  settings?: Record<string, string>;
  clock?: Clock;
}

export async function createTestApp({
  extensions,
  providers,
  settings = {},
}: TestAppOptions = {}): Promise<TestApp> {
  const saved = { ...process.env };
  delete process.env.DATABASE_URL;
  Object.assign(process.env, { NODE_ENV: 'test', THROTTLE_LIMIT: '1000000', ...settings });
  const app = configureApp(
    await NestFactory.create(AppModule.register({ extensions, providers }), {
      logger: ['error'],
      abortOnError: false,
    }),
  );
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    process.env = saved;
  }
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const client = (token?: string): TestClient => {
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const answer = await fetch(url + path, {
        method,
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json');
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    };
    return {
      get: (path, headers) => send('GET', path, undefined, headers),
      post: (path, body, headers) => send('POST', path, body, headers),
      put: (path, body, headers) => send('PUT', path, body, headers),
      patch: (path, body, headers) => send('PATCH', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
    };
  };
  return {
    url,
    anonymous: client(),
    get: (token) => app.get(token, { strict: false }),
    async account(username, { role } = {}) {
      const { body } = await client().post('/api/auth/register', { username, password: 'secret' });
      if (role) await app.get(AccountsService, { strict: false }).setRole(username, role);
      const { id, token } = body.data;
      return { ...client(token), user: { id, username, role: role ?? 'engineer' } };
    },
    close: () => app.close(),
  };
}
