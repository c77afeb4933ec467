import type { CurrentUser } from '../common/current-user';

/** What was answered. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text where it is JSON, parsed: as loose as assertions want it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test knows of it, it asserts
  readonly body: any;
}

type Names = Readonly<Record<string, string>>;

/** Sends requests to an application; paths begin with `/`, as in `/api/formulas`. */
export class TestClient {
  constructor(
    private readonly url: string,
    private readonly headers: Names = {},
  ) {}

  get(path: string, headers?: Names): Promise<TestAnswer> {
    return this.request('GET', path, undefined, headers);
  }

  /** @param body sent as JSON; a text is sent as it is, with the headers given */
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
    // A header that is given stands in place of ours, however it is spelled.
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

/** Requests with the token of an account. */
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
