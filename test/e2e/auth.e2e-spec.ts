import { createHmac, createSecretKey } from 'node:crypto';
import jwt, { type SignOptions } from 'jsonwebtoken';
import { DataSource } from 'typeorm';
import { PasswordHasher } from '../../src/users/password-hasher';
import { UsersRepository } from '../../src/users/users.repository';
import { UnavailableError } from '../../src/platform/common/errors/service-error';
import { SigningSecret } from '../../src/platform/config/signing-secret';
import { expectError, expectKeys, FORBIDDEN, NOWHERE, UNAUTHORIZED, UUID } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

const REQUIRED = '用户名和密码为必填项';
const TOO_SHORT = '密码至少4位';
const WRONG = '用户名或密码错误';

let service: TestApp;
let user: Account;
let secret: string;

const register = (body?: object) => service.http.post('/api/auth/register').send(body);
const login = (body?: object) => service.http.post('/api/auth/login').send(body);
const me = (authorization: string) => service.http.get('/api/auth/me').set('Authorization', authorization);

const claims = () => ({ sub: user.id, username: user.username, role: user.role });
const sign = (payload: object, options: SignOptions = {}) =>
  jwt.sign(payload, createSecretKey(Buffer.from(secret)), { expiresIn: '24h', ...options });

/** Signed with our secret, whatever it says. */
function signText(payload: string, header = '{"alg":"HS256","typ":"JWT"}'): string {
  const signed = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  secret = service.app.get(SigningSecret).value;
});

afterAll(() => service.close());

describe('POST /api/auth/register', () => {
  it('creates an engineer and signs in', async () => {
    const { status, body } = await register({ username: '林工', password: 'abcd' });
    expect(status).toBe(201);
    expectKeys(body, ['data']);
    expectKeys(body.data, ['id', 'username', 'role', 'token']);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(UUID),
      username: '林工',
      role: 'engineer',
      token: expect.any(String),
    });
    const { body: account } = await me(`Bearer ${body.data.token}`).expect(200);
    expect(account).toEqual({ data: { id: body.data.id, username: '林工', role: 'engineer' } });
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no username', { password: 'abcd' }],
    ['no password', { username: 'x' }],
    ['a null username', { username: null, password: 'abcd' }],
    ['a null password', { username: 'x', password: null }],
    ['an empty username', { username: '', password: 'abcd' }],
    ['an empty password', { username: 'x', password: '' }],
    ['a blank username', { username: ' \t　', password: 'abcd' }],
    ['a blank password, long enough', { username: 'x', password: '     ' }],
    ['no username and a short password: one text at a time', { password: 'abc' }],
  ])('%s: the required fields', async (_, body) => {
    expectError(await register(body), 400, REQUIRED);
  });

  it.each(['a', 'abc', '密码三', '😀😀'])('%s is too short a password', async (password) => {
    expectError(await register({ username: 'short', password }), 400, TOO_SHORT);
  });

  it('follows the general format for wrong types and lengths', async () => {
    expectError(await register({ username: 1, password: 'abcd' }), 400, 'username: 必须是字符串');
    expectError(await register({ username: 'x', password: [] }), 400, 'password: 必须是字符串');
    expectError(
      await register({ username: {}, password: 12345 }),
      400,
      'password: 必须是字符串; username: 必须是字符串',
    );
    expectError(
      await register({ username: '长'.repeat(201), password: 'abcd' }),
      400,
      'username: 不能超过200个字符',
    );
  });

  it('says that a name is taken', async () => {
    expectError(await register({ username: user.username, password: 'other' }), 409, '用户名已存在');
  });

  it('says that the database is out of reach, and not that a name is taken', async () => {
    const create = jest
      .spyOn(service.app.get(UsersRepository), 'create')
      .mockRejectedValue(new UnavailableError('数据库不可用'));
    const answer = await register({ username: 'late', password: 'abcd' });
    create.mockRestore();
    expectError(answer, 503, '数据库不可用');
  });

  it('stores usernames trimmed and compares them exactly', async () => {
    const { body } = await register({ username: '  Trimmed\t', password: 'abcd' }).expect(201);
    expect(body.data.username).toBe('Trimmed');
    expectError(await register({ username: 'Trimmed', password: 'abcd' }), 409, '用户名已存在');
    await register({ username: 'trimmed', password: 'abcd' }).expect(201);
  });

  it('never trims passwords', async () => {
    await register({ username: 'spaces', password: ' abcd ' }).expect(201);
    expectError(await login({ username: 'spaces', password: 'abcd' }), 401, WRONG);
    await login({ username: 'spaces', password: ' abcd ' }).expect(200);
  });

  it('takes no role from the request', async () => {
    const { body } = await register({ username: 'wishful', password: 'abcd', role: 'admin', id: NOWHERE });
    expect(body.data).toMatchObject({ role: 'engineer', id: expect.not.stringMatching(NOWHERE) });
  });

  it('stores `<salt_hex>:<hash_hex>`, never the same twice, and shows it nowhere', async () => {
    const first = await register({ username: 'same-1', password: 'the same' }).expect(201);
    await register({ username: 'same-2', password: 'the same' }).expect(201);
    const rows = await service.app
      .get(DataSource)
      .query<{ hash: string }[]>(
        `SELECT password_hash AS hash FROM users WHERE username LIKE 'same-_' ORDER BY username`,
      );
    for (const { hash } of rows) expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
    expect(first.text).not.toContain('hash');
  });
});

describe('REGISTRATION=closed', () => {
  let closed: TestApp;

  beforeAll(async () => {
    closed = await bootApp({ settings: { REGISTRATION: 'closed' } });
  });

  afterAll(() => closed.close());

  it('refuses what would be a new account, after what is no request for one', async () => {
    const attempt = (body: object) => closed.http.post('/api/auth/register').send(body);
    expectError(await attempt({ username: 'x', password: 'abcd' }), 403, FORBIDDEN);
    expectError(await attempt({ username: 'x' }), 400, REQUIRED);
    const { http } = closed;
    expectError(await http.post('/api/auth/login').send({ username: 'x', password: 'y' }), 401, WRONG);
  });
});

describe('POST /api/auth/login', () => {
  it('answers like registration, with 200', async () => {
    const { status, body } = await login({ username: user.username, password: 'secret' });
    expect(status).toBe(200);
    expectKeys(body, ['data']);
    expectKeys(body.data, ['id', 'username', 'role', 'token']);
    expect(body.data).toMatchObject({ id: user.id, username: user.username, role: 'engineer' });
    await me(`Bearer ${body.data.token}`).expect(200);
  });

  it('trims the username, as it was stored', async () => {
    await login({ username: ` ${user.username} `, password: 'secret' }).expect(200);
  });

  it.each([
    ['nothing', undefined, '用户名不能为空'],
    ['neither', {}, '用户名不能为空'],
    ['two empty ones: the username first', { username: '', password: '' }, '用户名不能为空'],
    ['a blank username', { username: '  ', password: 'x' }, '用户名不能为空'],
    ['a null username', { username: null, password: 'x' }, '用户名不能为空'],
    ['no password', { username: 'x' }, '密码不能为空'],
    ['a null password', { username: 'x', password: null }, '密码不能为空'],
    ['an empty password', { username: 'x', password: '' }, '密码不能为空'],
    ['a username of a wrong type', { username: 7, password: 'x' }, 'username: 必须是字符串'],
    ['a password of a wrong type', { username: 'x', password: true }, 'password: 必须是字符串'],
  ])('%s', async (_, body, error) => {
    expectError(await login(body), 400, error);
  });

  it('one character is enough of a password to be wrong, a space too', async () => {
    expectError(await login({ username: user.username, password: 'x' }), 401, WRONG);
    expectError(await login({ username: user.username, password: ' ' }), 401, WRONG);
  });

  it('does not tell an unknown user from a wrong password', async () => {
    const unknown = await login({ username: 'nobody at all', password: 'secret' });
    const wrong = await login({ username: user.username, password: 'Secret' });
    expectError(unknown, 401, WRONG);
    expectError(wrong, 401, WRONG);
    // No challenge: the credentials were in the body, and a browser must not ask for others.
    expect(wrong.headers['www-authenticate']).toBeUndefined();
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers));
    expectError(await login({ username: user.username.toUpperCase(), password: 'secret' }), 401, WRONG);
  });

  it('hashes for an unknown user as for a known one', async () => {
    const matches = jest.spyOn(service.app.get(PasswordHasher), 'matches');
    await login({ username: 'nobody at all', password: 'secret' }).expect(401);
    await login({ username: user.username, password: 'wrong' }).expect(401);
    expect(matches.mock.calls).toEqual([
      ['secret', undefined],
      ['wrong', expect.stringMatching(/^[0-9a-f]{32}:/)],
    ]);
    matches.mockRestore();
  });
});

describe('the token', () => {
  it('is HS256, holds exactly its claims and lives for 24 hours', () => {
    const { header, payload } = jwt.verify(user.token, createSecretKey(Buffer.from(secret)), {
      algorithms: ['HS256'],
      complete: true,
    });
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { iat, exp, ...rest } = payload as jwt.JwtPayload;
    expect(rest).toEqual({ sub: user.id, username: user.username, role: 'engineer', ver: 0 });
    expect(exp! - iat!).toBe(24 * 60 * 60);
  });

  it('is good when signed with JWT_SECRET elsewhere', async () => {
    const { body } = await me(`Bearer ${sign(claims())}`).expect(200);
    expect(body).toEqual({ data: { id: user.id, username: user.username, role: 'engineer' } });
    await me(`bearer ${sign(claims())}`).expect(200);
  });

  const key = () => createSecretKey(Buffer.from(secret));
  const DAY = 24 * 60 * 60;
  const now = () => Math.floor(Date.now() / 1000);
  /** Signed with our secret, good but for its times: it has no `exp`. */
  const endless = (times: object, options: SignOptions = {}) =>
    jwt.sign({ ...claims(), ...times }, key(), options);

  it('is good for a day if it names no end', async () => {
    await me(`Bearer ${endless({ iat: now() - DAY + 600 })}`).expect(200);
  });

  const failures: [string, () => string | undefined][] = [
    ['no header', () => undefined],
    ['an empty one', () => ''],
    ['a token without a scheme', () => user.token],
    ['another scheme', () => `Basic ${user.token}`],
    ['a scheme without a token', () => 'Bearer '],
    ['nonsense', () => 'Bearer nonsense'],
    ['three empty parts', () => 'Bearer ..'],
    ['no JSON inside', () => 'Bearer e30.bm9uc2Vuc2U.c2ln'],
    ['a changed signature', () => `Bearer ${user.token.slice(0, -4)}AAAA`],
    ['changed claims', () => `Bearer ${user.token.replace(/\.[^.]+\./, `.${btoa('{"sub":"x"}')}.`)}`],
    ['another secret', () => `Bearer ${jwt.sign(claims(), 'another secret', { expiresIn: '24h' })}`],
    ['no algorithm', () => `Bearer ${jwt.sign(claims(), null, { algorithm: 'none' })}`],
    ['another HMAC', () => `Bearer ${jwt.sign(claims(), key(), { algorithm: 'HS512', expiresIn: '1h' })}`],
    ['an expired one', () => `Bearer ${sign(claims(), { expiresIn: '-1s' })}`],
    ['no end, issued more than a day ago', () => `Bearer ${endless({ iat: now() - DAY - 1 })}`],
    ['neither an end nor a beginning', () => `Bearer ${endless({}, { noTimestamp: true })}`],
    ['one not yet good', () => `Bearer ${sign(claims(), { notBefore: '1h' })}`],
    ['no subject', () => `Bearer ${sign({ username: user.username })}`],
    ['a subject that is no id', () => `Bearer ${sign({ ...claims(), sub: "' OR 1=1 --" })}`],
    ['a signed null', () => `Bearer ${signText('null')}`],
    ['a signed number', () => `Bearer ${signText('5')}`],
    ['a signed text', () => `Bearer ${signText('"text"')}`],
    ['a signed list', () => `Bearer ${signText('[{}]')}`],
    ['a signed text that is no JSON', () => `Bearer ${signText('{')}`],
    ['signed, without a type', () => `Bearer ${signText('nonsense', '{"alg":"HS256"}')}`],
    ['a subject that is an object', () => `Bearer ${signText(JSON.stringify({ sub: {}, iat: now() }))}`],
    ['a time that is no number', () => `Bearer ${signText(JSON.stringify({ ...claims(), iat: 'today' }))}`],
    ['an unknown role', () => `Bearer ${sign({ ...claims(), role: 'root' })}`],
    ['a version that is a text', () => `Bearer ${sign({ ...claims(), ver: '0' })}`],
    ['a version to come', () => `Bearer ${sign({ ...claims(), ver: 1 })}`],
    ['an end beyond a day', () => `Bearer ${sign(claims(), { expiresIn: '25h' })}`],
    ['an unknown user', () => `Bearer ${sign({ ...claims(), sub: NOWHERE })}`],
  ];

  it.each(failures)('%s: 401 with the scheme to use', async (_, authorization) => {
    const header = authorization();
    const answer = await (header === undefined ? service.http.get('/api/auth/me') : me(header));
    expectError(answer, 401, UNAUTHORIZED);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each(failures)('%s: a public route does not mind', async (_, authorization) => {
    const request = service.http.get('/api/health');
    const header = authorization();
    await (header === undefined ? request : request.set('Authorization', header)).expect(200);
  });

  it('may stand behind any white space', async () => {
    await me(`Bearer  ${user.token}`).expect(200);
    await me(`BEARER \t${user.token}`).expect(200);
  });

  it('in the query or body is no token', async () => {
    expectError(await service.http.get(`/api/auth/me?access_token=${user.token}`), 401, UNAUTHORIZED);
    const inBody = service.http.post('/api/projects').send({ name: 'x', access_token: user.token });
    expectError(await inBody, 401, UNAUTHORIZED);
  });

  it('ends with its user', async () => {
    const leaving = await service.register();
    await leaving.get('/api/auth/me').expect(200);
    await service.app.get(DataSource).query('DELETE FROM users WHERE id = $1', [leaving.id]);
    expectError(await leaving.get('/api/auth/me'), 401, UNAUTHORIZED);
    expectError(await leaving.get('/api/ingredients'), 401, UNAUTHORIZED);
  });

  it('without a version is as good as one of version 0', async () => {
    await me(`Bearer ${sign({ ...claims(), ver: 0 })}`).expect(200);
    await me(`Bearer ${sign(claims())}`).expect(200);
  });

  it("does not decide about the role: the user's record does, at once", async () => {
    const promoted = await service.register();
    await service.app.get(UsersRepository).setRole(promoted.username, 'admin');
    const { body } = await promoted.get('/api/auth/me').expect(200);
    expect(body.data).toEqual({ id: promoted.id, username: promoted.username, role: 'admin' });
    const { body: forged } = await me(`Bearer ${sign({ ...claims(), role: 'admin' })}`).expect(200);
    expect(forged.data.role).toBe('engineer');
  });
});

describe('every endpoint of the contract but three', () => {
  const id = NOWHERE;
  const guarded: ['get' | 'post' | 'put' | 'delete', string][] = [
    ['get', '/api/auth/me'],
    ['get', '/api/ingredients'],
    ['get', `/api/ingredients/${id}`],
    ['post', '/api/ingredients'],
    ['put', `/api/ingredients/${id}`],
    ['delete', `/api/ingredients/${id}`],
    ['get', '/api/formulas'],
    ['get', `/api/formulas/${id}`],
    ['post', '/api/formulas'],
    ['put', `/api/formulas/${id}`],
    ['put', `/api/formulas/${id}/composition`],
    ['delete', `/api/formulas/${id}`],
    ['get', '/api/projects'],
    ['get', `/api/projects/${id}`],
    ['post', '/api/projects'],
    ['put', `/api/projects/${id}`],
    ['delete', `/api/projects/${id}`],
  ];

  it.each(guarded)('%s %s needs a token', async (method, path) => {
    const answer = await service.http[method](path);
    expectError(answer, 401, UNAUTHORIZED);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});
