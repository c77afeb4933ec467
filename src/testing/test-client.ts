import type { CurrentUser } from '../platform/common/current-user';

/** The answer to a request. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text if it is JSON; untyped for assertions. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test knows of it, it asserts
  readonly body: any;
}

type Names = Readonly<Record<string, string>>;

/** Sends requests to an application. Paths begin with `/`, for example `/api/formulas`. */
export class TestClient {
  constructor(
    private readonly url: string,
    private readonly headers: Names = {},
  ) {}

  get(path: string, headers?: Names): Promise<TestAnswer> {
    return this.request('GET', path, undefined, headers);
  }

  /** @param body sent as JSON; a string is sent unchanged, with the given headers */
  post(path: string, body?: unknown, headers?: Names): Promise<TestAnswer> {
    return this.request('POST', path, body, headers);
  }

  put(path: string, body?: unknown, headers?: Names): Promise<TestAnswer> {
    return this.request('PUT', path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: Names): Promise<TestAnswer> {
    return this.request('PATCH', path, body, headers);
  }

  delete(path: string, headers?: Names): Promise<TestAnswer> {
    return this.request('DELETE', path, undefined, headers);
  }

  private async request(
    method: string,
    path: string,
    body: unknown,
    headers: Names = {},
  ): Promise<TestAnswer> {
    const isText = body === undefined || typeof body === 'string';
    // A given header replaces the default one, regardless of case.
    const sent = new Headers(isText ? {} : { 'Content-Type': 'application/json' });
    for (const [name, value] of Object.entries({ ...this.headers, ...headers })) sent.set(name, value);
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: sent,
      body: isText ? body : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
  }
}

/** Sends requests with the token of an account. */
export class TestAccount extends TestClient {
  constructor(
    url: string,
    readonly user: CurrentUser,
    readonly token: string,
  ) {
    super(url, { Authorization: `Bearer ${token}` });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
