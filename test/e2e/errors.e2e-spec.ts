import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadRequestException, Controller, Get, HttpException, type LoggerService } from '@nestjs/common';
import { AppModule } from '../../src/app.module';
import { Public } from '../../src/platform/http/route-decorators';
import { type Account, bootApp, type TestApp } from '../support/app';
import { expectError, NOWHERE, UNAUTHORIZED, UUID } from '../support/answers';
import { ingredientInput } from '../support/factories';
import { TEST_SERVER } from '../support/databases';

/** What an extension may do wrong. */
@Public()
@Controller('broken')
class BrokenController {
  @Get('error')
  error(): never {
    throw new Error('password=hunter2 at 10.0.0.1');
  }

  @Get('fields')
  fields(): never {
    throw new BadRequestException(['a: 一', 'b: 二']);
  }

  @Get('five-hundred')
  fiveHundred(): never {
    throw new HttpException('details of ours', 500);
  }
}

const broken = { imports: [AppModule], controllers: [BrokenController] };

/** What the log was told, instead of printing it. */
const logged = jest.fn<undefined, unknown[]>();
const recorder: LoggerService = { log: () => undefined, warn: () => undefined, error: logged };

let service: TestApp;
let user: Account;

beforeAll(async () => {
  service = await bootApp({ module: broken });
  service.app.useLogger(recorder);
  user = await service.register();
});

afterAll(() => service.close());

describe('unknown routes', () => {
  it.each([
    ['get', '/api/nowhere'],
    ['get', '/api'],
    ['get', '/api/'],
    ['get', '/'],
    ['get', '/health'],
    ['get', '/api/api/health'],
    ['post', '/api/health'],
    ['patch', `/api/ingredients/${NOWHERE}`],
    ['delete', '/api/ingredients'],
    ['get', `/api/formulas/${NOWHERE}/composition`],
    ['get', `/api/formulas/${NOWHERE}/versions`],
    ['get', '/api/auth/register'],
    ['options', '/api/ingredients'],
  ] as const)('%s %s', async (method, path) => {
    expectError(await service.http[method](path), 404, '接口不存在');
    const signed = service.http[method](path).set('Authorization', `Bearer ${user.token}`);
    expectError(await signed, 404, '接口不存在');
  });

  it('whatever body came with it', async () => {
    expectError(await service.http.post('/api/nowhere').type('json').send('{'), 404, '接口不存在');
  });

  it('a path that cannot be decoded is 400', async () => {
    expectError(await user.get('/api/ingredients/%E0%A4%A'), 400, '请求路径格式错误');
    expectError(await user.get('/api/ingredients/%'), 400, '请求路径格式错误');
  });
});

describe('a body that cannot be read', () => {
  const raw = (body: string | Buffer, headers: Record<string, string> = {}, account?: Account) => {
    const request = service.http
      .post('/api/projects')
      .set({ 'Content-Type': 'application/json', ...headers });
    if (account) request.set('Authorization', `Bearer ${account.token}`);
    return request.serialize((given: unknown) => given as string).send(body as string);
  };
  const project = JSON.stringify({ name: '项目' });
  const ofSize = (bytes: number) => {
    const frame = JSON.stringify({ name: '大', ignored: '' });
    return JSON.stringify({ name: '大', ignored: 'x'.repeat(bytes - Buffer.byteLength(frame)) });
  };

  it.each(['{', '{"name":"x"', "{'name':'x'}", '{"name":NaN}', 'name', '{"name":"\n"}', '\u0000'])(
    '%j is broken JSON',
    async (body) => {
      expectError(await raw(body, {}, user), 400, '请求体不是有效的 JSON');
      expectError(await raw(body), 401, UNAUTHORIZED);
    },
  );

  it('takes a megabyte and not a byte more', async () => {
    expect((await raw(ofSize(1024 * 1024), {}, user)).status).toBe(201);
    expectError(await raw(ofSize(1024 * 1024 + 1), {}, user), 413, '请求体过大');
    expectError(await raw(ofSize(1024 * 1024 + 1)), 401, UNAUTHORIZED);
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }, '请求体必须是 JSON'],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, '请求体必须是 JSON'],
    [{ 'Content-Type': 'multipart/form-data; boundary=x' }, '请求体必须是 JSON'],
    [{ 'Content-Type': 'application/json; charset=latin1' }, '不支持的请求体编码'],
    [{ 'Content-Encoding': 'gzip' }, '不支持的请求体编码'],
    [{ 'Content-Encoding': 'zip' }, '不支持的请求体编码'],
    [{ 'Content-Type': 'application/json; charset=utf-99' }, '不支持的请求体编码'],
    [{ 'Content-Type': 'application/jsonp' }, '请求体必须是 JSON'],
  ] as [Record<string, string>, string][])('%j is not taken', async (headers, error) => {
    expectError(await raw(project, headers, user), 415, error);
    expectError(await raw(project, headers), 401, UNAUTHORIZED);
  });

  it.each([
    ['application/json; charset=utf-8', 'utf8'],
    ['APPLICATION/JSON; Charset="UTF-8"; x=y', 'utf8'],
    ['application/json;charset=utf-16le', 'utf16le'],
  ] as const)('is read as its %s says', async (type, encoding) => {
    const { status, body } = await raw(Buffer.from(project, encoding), { 'Content-Type': type }, user);
    expect({ status, name: body.data.name }).toEqual({ status: 201, name: '项目' });
  });

  it.each(['[]', '"text"', '5', 'true', 'null', '[{"name":"x"}]'])(
    '%s is JSON but no object',
    async (body) => {
      expectError(await raw(body, {}, user), 400, '请求体必须是 JSON 对象');
      const login = service.http.post('/api/auth/login').type('json').send(body);
      expectError(await login, 400, '请求体必须是 JSON 对象');
    },
  );

  it('a request without a body is one with an empty object', async () => {
    expectError(await user.post('/api/projects'), 400, 'name: 不能为空');
  });

  it('a body where none is asked for is not looked at, unless it cannot be stored', async () => {
    const get = (body: object) =>
      service.http.get('/api/projects').set('Authorization', `Bearer ${user.token}`).send(body);
    expect((await get({ anything: [] })).status).toBe(200);
  });
});

describe('text that cannot be stored', () => {
  const NUL = '不能包含空字符';
  const SURROGATE = '不是有效的 Unicode 文本';

  it.each([
    ['in a field', { name: 'a\u0000b' }, `name: ${NUL}`],
    ['in a field nobody asked for', { name: 'x', extra: { deep: ['ok', '\u0000'] } }, `extra.deep.1: ${NUL}`],
    ['in a key', { name: 'x', extra: { 'a\u0000': 1 } }, `extra: ${NUL}`],
    ['in a key at the top', { 'a\u0000': 1, name: 'x' }, `body: ${NUL}`],
    ['a lone high surrogate', { name: 'x\ud800' }, `name: ${SURROGATE}`],
    ['a lone low surrogate', { name: '\udc00x' }, `name: ${SURROGATE}`],
    ['surrogates in the wrong order', { name: '\udc00\ud800' }, `name: ${SURROGATE}`],
    ['the first of two', { name: '\ud800', description: '\u0000' }, `name: ${SURROGATE}`],
  ])('%s', async (_, body, error) => {
    expectError(await user.post('/api/projects', body), 400, error);
  });

  it('in credentials', async () => {
    const credentials = { username: 'a\u0000', password: 'secret' };
    expectError(await service.http.post('/api/auth/login').send(credentials), 400, `username: ${NUL}`);
  });

  it('in a query, also in a parameter nobody asked for', async () => {
    expectError(await user.get('/api/projects?x=%00'), 400, `x: ${NUL}`);
    expectError(await user.get('/api/formulas?search=a%00'), 400, `search: ${NUL}`);
    expectError(await user.get('/api/formulas?search=a&search=%00'), 400, `search.1: ${NUL}`);
  });

  it('what is no UTF-8 in a query is read as replacement characters', async () => {
    const { body } = await user.get('/api/formulas?search=%ED%A0%80').expect(200);
    expect(body.data).toEqual([]);
    await user.get('/api/formulas?search=%FF&page=%31').expect(200);
  });

  it('proper surrogate pairs are welcome', async () => {
    const { body } = await user.post('/api/projects', { name: '𠮷😀' }).expect(201);
    expect(body.data.name).toBe('𠮷😀');
  });
});

describe('nesting', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const post = (json: string) => user.post('/api/projects').type('json').send(json);

  it('is taken to 64 levels and refused beyond, however deep', async () => {
    expect((await post(`{"name":"x","extra":${nested(63)}}`)).status).toBe(201);
    const error = 'extra: 嵌套不能超过64层';
    expectError(await post(`{"name":"x","extra":${nested(64)}}`), 400, error);
    expectError(await post(`{"name":"x","extra":${nested(400_000)}}`), 400, error);
  });
});

describe('the work for a body', () => {
  const post = (path: string, json: string) => user.post(path).type('json').send(json);
  const manyKeys = (count: number) => Array.from({ length: count }, (_, n) => `"${n}":0`).join();

  it('ends at 50 000 values', async () => {
    // The body itself and the name are two of them.
    expect((await post('/api/projects', `{"name":"x",${manyKeys(49_998)}}`)).status).toBe(201);
    const error = 'body: 不能超过50000个值';
    expectError(await post('/api/projects', `{"name":"x",${manyKeys(49_999)}}`), 400, error);
    expectError(await post('/api/formulas', `{"phases":[${'{},'.repeat(300_000)}{}]}`), 400, error);
  });

  it('names at most 20 faults, and how many there are', async () => {
    const { status, body } = await user.post('/api/formulas', { name: 'x', phases: Array(200).fill({}) });
    expect(status).toBe(400);
    const faults = (body.error as string).split('; ');
    expect(faults.slice(0, 3)).toEqual([
      'phases.0.name: 不能为空',
      'phases.0.sortOrder: 不能为空',
      'phases.0.ingredients: 不能为空',
    ]);
    expect(faults).toHaveLength(21);
    expect(faults[20]).toBe('共600处错误');
  });

  it('gives no error longer than 64 KB, whatever a client names', async () => {
    const key = '"'.repeat(400_000);
    for (const body of [{ [key]: '\u0000' }, { [key]: { '\u0000': 1 } }]) {
      const { status, text } = await user.post('/api/projects', { name: 'x', ...body });
      expect(status).toBe(400);
      expect(Buffer.byteLength(text)).toBeLessThan(2000);
      expect(text).toContain('…: 不能包含空字符');
    }
  });
});

describe('names that JavaScript gives a meaning', () => {
  it.each([
    '{"__proto__":{"role":"admin","name":"y"},"name":"x"}',
    '{"constructor":{"prototype":{"x":1}},"name":"x"}',
    '{"prototype":1,"toString":1,"hasOwnProperty":0,"valueOf":null,"name":"x"}',
    '{"then":1,"toJSON":"x","name":"x"}',
  ])('%s are unknown fields', async (json) => {
    const { status, body } = await user.post('/api/projects').type('json').send(json);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: 'x', createdBy: user.id });
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });

  it('in a nested object and in a query too', async () => {
    const phases = '{"name":"x","phases":[{"__proto__":[],"name":"x","sortOrder":1,"ingredients":[]}]}';
    const answer = await user.post('/api/formulas').type('json').send(phases);
    expectError(answer, 400, 'phases.0.ingredients: 至少需要1项');
    await user.get('/api/formulas?__proto__=1&constructor=2&toString=3&limit=1').expect(200);
  });

  it('do not stand in for required fields', async () => {
    const answer = await user.post('/api/ingredients').type('json').send('{"__proto__":{"inciName":"x"}}');
    expectError(answer, 400, 'inciName: 不能为空; chineseName: 不能为空; functionCategory: 不能为空');
  });
});

describe('headers', () => {
  it('forbid to keep what is answered', async () => {
    for (const path of ['/api/health', '/api/nowhere', '/api/auth/me', '/api/docs-json']) {
      expect((await service.http.get(path)).headers['cache-control']).toBe('no-store');
    }
    // The page itself is the same for everybody.
    expect((await service.http.get('/api/docs')).headers['cache-control']).not.toBe('no-store');
  });

  it('no condition makes an answer an empty one', async () => {
    const { status, body } = await service.http.get('/api/health').set('If-None-Match', '*');
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('errors and answers are JSON, uncached by ETag, and do not name the framework', async () => {
    for (const path of ['/api/health', '/api/nowhere', '/api/auth/me']) {
      const { headers } = await service.http.get(path);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('etag');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });
});

describe('the content security policy', () => {
  const policyOf = async (path: string) => {
    const { headers } = await service.http.get(path);
    return headers['content-security-policy']?.split(';').toSorted();
  };

  it('lets nobody make a page of an answer, or show it in a frame', async () => {
    for (const path of ['/api/health', '/api/nowhere']) {
      expect(await policyOf(path)).toEqual(["default-src 'none'", "frame-ancestors 'none'"]);
    }
  });

  it('lets the API page use its own scripts and talk to the service, and no more', async () => {
    expect(await policyOf('/api/docs/')).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
    ]);
  });
});

describe('errors nobody foresaw', () => {
  const get = (path: string) => service.http.get(`/api/broken/${path}`);

  it('are 500 without details', async () => {
    expectError(await get('error'), 500, '服务器内部错误');
  });

  it('their details are in the log, under the id that the answer names', async () => {
    logged.mockClear();
    const own = await get('error');
    expect(own.headers['x-request-id']).toMatch(UUID);
    const given = await get('error').set('X-Request-Id', 'trace-1');
    expect(given.headers['x-request-id']).toBe('trace-1');
    const forged = await get('error').set('X-Request-Id', '{"level":"fatal"}');
    expect(forged.headers['x-request-id']).toMatch(UUID);
    const entries = logged.mock.calls.map(([entry]) => entry);
    expect(entries).toEqual(
      [own, given, forged].map(({ headers }) => ({
        requestId: headers['x-request-id'],
        method: 'GET',
        path: '/api/broken/error',
        err: expect.objectContaining({ message: 'password=hunter2 at 10.0.0.1' }),
      })),
    );
  });

  it('known errors are no business of the log', async () => {
    logged.mockClear();
    await get('fields').expect(400);
    await service.http.get('/api/nowhere').expect(404);
    await service.http.get('/api/auth/me').expect(401);
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('in production', () => {
  let production: TestApp;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'formula-production-'));
    production = await bootApp({
      module: broken,
      settings: {
        NODE_ENV: 'production',
        LOG_LEVEL: 'silent',
        JWT_SECRET: 'a secret of the test’s own, 32 bytes',
        ...(TEST_SERVER ? {} : { DATA_DIR: join(directory, 'data') }),
      },
    });
    production.app.useLogger(recorder);
  });

  afterAll(async () => {
    await production.close();
    await rm(directory, { recursive: true, force: true });
  });

  const get = (path: string) => production.http.get(`/api/${path}`);

  it('an error is 500 with the fixed text, also one that the framework was given', async () => {
    for (const path of ['error', 'five-hundred']) {
      expectError(await get(`broken/${path}`), 500, 'Internal Server Error');
    }
  });

  it('the service works', async () => {
    const account = await production.register();
    await account.post('/api/ingredients', ingredientInput()).expect(201);
  });
});
