import dns from 'node:dns';
import { DataSource } from 'typeorm';
import { RuntimeConfiguration } from '../../src/platform/runtime-config/runtime-configuration';
import { type Account, bootApp, type TestApp } from '../support/app';
import { type AiApp, bootAiApp, SECRET_KEY } from '../support/ai-app';
import { answers, type Behaviour, fails, hangs, page, resets, webPage } from '../support/fake-providers';

const KEY = 'sk-stored-key-42';

describe('/api/config', () => {
  let app: TestApp;
  let user: Account;

  beforeAll(async () => {
    app = await bootApp();
    user = await app.register();
  });
  afterAll(() => app.close());

  const read = async () => (await user.get('/api/config').expect(200)).body as object;
  const stored = (): Promise<{ name: string; value: string }[]> =>
    app.app.get(DataSource).query('SELECT name, value FROM runtime_settings ORDER BY name');

  it('shows the mode as a text and whether there are keys', async () => {
    expect(await read()).toEqual({ aiMock: 'true', hasAlpha: false, hasBeta: false });
  });

  it('a change is in force at once, and an empty text takes it back', async () => {
    const { body } = await user.put('/api/config', { alphaKey: KEY, aiMock: 'false' }).expect(200);
    expect(body).toEqual({ ok: true });
    expect(await read()).toEqual({ aiMock: 'false', hasAlpha: true, hasBeta: false });
    await user.put('/api/config', { betaKey: KEY }).expect(200);
    expect(await read()).toEqual({ aiMock: 'false', hasAlpha: true, hasBeta: true });
    await user.put('/api/config', { betaKey: '' }).expect(200);
    expect(await read()).toEqual({ aiMock: 'false', hasAlpha: true, hasBeta: false });
    await user.put('/api/config', { betaKey: KEY }).expect(200);
    await user.put('/api/config', { alphaKey: '', betaKey: null, aiMock: 'true' }).expect(200);
    expect(await read()).toEqual({ aiMock: 'true', hasAlpha: false, hasBeta: false });
  });

  it('keys and addresses are not in the database as they are', async () => {
    await user
      .put('/api/config', { alphaKey: KEY, alphaBaseUrl: 'http://alpha.example/secret-path/v1' })
      .expect(200);
    const text = JSON.stringify(await stored());
    expect(text).toContain('alphaKey');
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('secret-path');
  });

  it('says in the database when a setting was last changed', async () => {
    await user.put('/api/config', { aiMock: 'true' }).expect(200);
    const database = app.app.get(DataSource);
    await database.query(`UPDATE runtime_settings SET updated_at = '2000-01-01' WHERE name = 'aiMock'`);
    await user.put('/api/config', { aiMock: 'true' }).expect(200);
    const changed = await database.query<object[]>(
      `SELECT name FROM runtime_settings WHERE name = 'aiMock' AND updated_at > '2000-01-02'`,
    );
    expect(changed).toEqual([{ name: 'aiMock' }]);
  });

  it('what cannot be decrypted counts as absent', async () => {
    await user.put('/api/config', { betaKey: KEY }).expect(200);
    await app.app
      .get(DataSource)
      .query(`UPDATE runtime_settings SET value = 'v1:AAAA' WHERE name = 'betaKey'`);
    await user.put('/api/config', {}).expect(200);
    expect(await read()).toMatchObject({ hasBeta: false });
  });

  it.each([
    [{ aiMock: true }, 'aiMock: 必须是以下值之一: true, false'],
    [{ aiMock: 'yes' }, 'aiMock: 必须是以下值之一: true, false'],
    [{ alphaKey: 5 }, 'alphaKey: 必须是字符串'],
    [{ alphaKey: '密钥' }, 'alphaKey: 只能包含可见的 ASCII 字符'],
    [{ alphaKey: 'sk 1' }, 'alphaKey: 只能包含可见的 ASCII 字符'],
    [{ betaKey: 'sk\u007f' }, 'betaKey: 只能包含可见的 ASCII 字符'],
    [{ alphaKey: 'x'.repeat(1001) }, 'alphaKey: 不能超过1000个字符'],
    [{ betaBaseUrl: `http://host/${'x'.repeat(1989)}` }, 'betaBaseUrl: 不能超过2000个字符'],
    [{ alphaBaseUrl: 'ftp://x' }, 'alphaBaseUrl: 必须是 http 或 https 地址'],
    [{ betaBaseUrl: 'nonsense' }, 'betaBaseUrl: 必须是 http 或 https 地址'],
    [{ betaBaseUrl: 'http://user@host' }, 'betaBaseUrl: 必须是 http 或 https 地址'],
    [{ betaBaseUrl: 'http://:pass@host' }, 'betaBaseUrl: 必须是 http 或 https 地址'],
    [{ betaBaseUrl: 'http://host/?key=x' }, 'betaBaseUrl: 必须是 http 或 https 地址'],
    [{ betaBaseUrl: 'http://host/#x' }, 'betaBaseUrl: 必须是 http 或 https 地址'],
  ])('refuses %j', async (body, error) => {
    const before = await read();
    expect((await user.put('/api/config', body).expect(400)).body).toEqual({ error, statusCode: 400 });
    expect(await read()).toEqual(before);
  });

  it('takes the longest there may be, without the blanks around it', async () => {
    const key = `!~${'x'.repeat(998)}`;
    const baseUrl = `https://host/${'x'.repeat(1987)}`;
    await user.put('/api/config', { betaKey: ` ${key} `, betaBaseUrl: ` ${baseUrl}\n` }).expect(200);
    const settings = await app.app.get(RuntimeConfiguration).current();
    expect(settings.provider('beta')).toEqual({ key, baseUrl });
    await user.put('/api/config', { betaKey: ' ', betaBaseUrl: null }).expect(200);
    expect((await app.app.get(RuntimeConfiguration).current()).provider('beta')).toEqual({});
  });

  it.each(['alpha', 'beta'])('tests %s without a key: not configured', async (provider) => {
    await user.put('/api/config', { alphaKey: '', betaKey: '' }).expect(200);
    const { body } = await user.post('/api/config/test', { provider }).expect(200);
    expect(body).toEqual({ ok: false, error: `${provider} 未配置 API 密钥` });
  });

  it.each([{}, { provider: 'gamma' }])('does not test %j', (body) =>
    user.post('/api/config/test', body).expect(400),
  );
});

describe('/api/config where only admins configure', () => {
  let app: TestApp;
  let engineer: Account;

  beforeAll(async () => {
    app = await bootApp({ settings: { CONFIG_WRITE_ROLE: 'admin' } });
    engineer = await app.register();
  });
  afterAll(() => app.close());

  it('an engineer reads it, but does not write or test it', async () => {
    await engineer.get('/api/config').expect(200);
    const refused = { error: '无权限执行此操作', statusCode: 403 };
    expect((await engineer.put('/api/config', { aiMock: 'false' }).expect(403)).body).toEqual(refused);
    expect((await engineer.post('/api/config/test', { provider: 'alpha' }).expect(403)).body).toEqual(
      refused,
    );
  });
});

describe.each(['alpha', 'beta'] as const)('POST /api/config/test with %s', (provider) => {
  let ai: AiApp;

  beforeAll(async () => {
    // Mock mode does not matter: the question is whether the provider answers.
    ai = await bootAiApp(provider, { settings: { AI_MOCK: 'true' }, limitMs: 12_000 });
  });
  afterAll(() => ai.close());
  beforeEach(() => ai.fake.reset());

  const test = async () => (await ai.user.post('/api/config/test', { provider }).expect(200)).body as object;

  it('makes one small call and names the model', async () => {
    ai.fake.otherwise = answers({ ok: true });
    expect(await test()).toEqual({ ok: true, model: provider === 'alpha' ? 'gpt-5.5' : 'claude-sonnet-5-5' });
    expect(ai.fake.received).toHaveLength(1);
    expect((await ai.audits()).at(-1)).toMatchObject({ capability: 'test-connection', tokens_used: 7 });
  });

  it('calls every time: an old success says nothing', async () => {
    ai.fake.otherwise = answers({ ok: true });
    await test();
    ai.fake.otherwise = fails(401);
    expect(await test()).toEqual({ ok: false, error: `${provider} API 密钥无效或没有权限` });
  });

  it('finds the answer in what stands around it', async () => {
    ai.fake.otherwise = answers('<think>{ok}?</think>Sure: {"ok": true} [1]');
    expect(await test()).toMatchObject({ ok: true });
  });

  /** A body as it is, of the protocol or not. */
  const body =
    (value: unknown): Behaviour =>
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
  const unrecognisable = '返回的内容无法识别,请检查地址';
  it.each<[string, Behaviour, string]>([
    ['words', answers('pong'), unrecognisable],
    ['nothing', answers(''), unrecognisable],
    ['a web page as its answer', answers('<html><body>{"a":1}</body></html>'), unrecognisable],
    ['JSON of another shape', answers({ hello: 'world' }), unrecognisable],
    ['no completion', body({ ok: true }), unrecognisable],
    ['a text', body('ok'), unrecognisable],
    ['null', body(null), unrecognisable],
    [
      'an error with status 200',
      body({ error: { code: 401, message: SECRET_KEY } }),
      'API 密钥无效或没有权限',
    ],
  ])('fails for a provider that answers %s', async (_, behaviour, error) => {
    ai.fake.otherwise = behaviour;
    expect(await test()).toEqual({ ok: false, error: `${provider} ${error}` });
    expect(ai.fake.received).toHaveLength(1);
  });

  it.each([
    ['401', fails(401, { message: `bad key ${SECRET_KEY}` }), 'API 密钥无效或没有权限'],
    ['404', fails(404, { message: `no model for ${SECRET_KEY}` }), '地址或模型不存在'],
    ['429', fails(429, { message: `quota of ${SECRET_KEY}` }), '请求过于频繁或额度已用完'],
    ['500', fails(500, { message: `crashed on ${SECRET_KEY}` }), '服务端错误,请稍后重试'],
    ["a proxy's page", page(502, `no route for ${SECRET_KEY}`), '服务端错误,请稍后重试'],
    ['no connection', resets, '无法连接,请检查地址与网络'],
    ['a web page', webPage, '返回的内容无法识别,请检查地址'],
  ])('%s: 200 with a text of ours, and the key nowhere', async (_, behaviour, error) => {
    ai.fake.otherwise = behaviour;
    const body = await test();
    expect(body).toEqual({ ok: false, error: `${provider} ${error}` });
    const row = (await ai.audits()).at(-1);
    expect(row).toMatchObject({ capability: 'test-connection', tokens_used: null });
    expect(JSON.stringify([body, ai.logged, row])).not.toContain(SECRET_KEY);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('a hang ends with its own short deadline', async () => {
    ai.fake.otherwise = hangs;
    const answer = test();
    await ai.fake.arrived(1);
    ai.time.advance(15_000);
    expect(await answer).toEqual({ ok: false, error: `${provider} 15 秒内没有响应` });
  });

  it('an address with slashes at its end, and for beta with /v1, is understood', async () => {
    ai.fake.otherwise = answers({ ok: true });
    const pasted = provider === 'beta' ? `${ai.fake.baseUrl}/v1/` : `${ai.fake.baseUrl}//`;
    await ai.configure({ key: SECRET_KEY, baseUrl: pasted });
    expect(await test()).toMatchObject({ ok: true });
    await ai.configure({ key: '', baseUrl: '' });
  });

  it('the key of the environment goes to no address that a user stores', async () => {
    ai.fake.otherwise = answers({ ok: true });
    await ai.configure({ baseUrl: ai.fake.baseUrl });
    expect(await test()).toEqual({
      ok: false,
      error: `${provider} 保存的地址不使用环境变量中的密钥,请同时保存密钥`,
    });
    const has = provider === 'alpha' ? 'hasAlpha' : 'hasBeta';
    expect((await ai.user.get('/api/config').expect(200)).body).toMatchObject({ [has]: false });
    await ai.configure({ baseUrl: '' });
    expect((await ai.user.get('/api/config').expect(200)).body).toMatchObject({ [has]: true });
    expect(ai.fake.received).toEqual([]);
  });

  it('a new address and key are used at once', async () => {
    ai.fake.otherwise = answers({ ok: true });
    await ai.user.put('/api/config', { [`${provider}Key`]: 'sk-new' }).expect(200);
    await test();
    expect(JSON.stringify(ai.fake.received[0]?.headers)).toContain('sk-new');
    expect(JSON.stringify(ai.fake.received[0]?.headers)).not.toContain(SECRET_KEY);
  });
});

describe.each(['alpha', 'beta'] as const)('addresses of %s that must be public', (provider) => {
  let ai: AiApp;
  beforeAll(async () => {
    ai = await bootAiApp(provider, { settings: { AI_REFUSE_PRIVATE_ADDRESSES: 'true' }, limitMs: 12_000 });
  });
  afterAll(() => ai.close());

  const store = (baseUrl: string) =>
    ai.user.put('/api/config', { [`${provider}Key`]: SECRET_KEY, [`${provider}BaseUrl`]: baseUrl });
  const test = async () => (await ai.user.post('/api/config/test', { provider }).expect(200)).body as object;

  it('the operator’s own may be private', async () => {
    ai.fake.otherwise = answers({ ok: true });
    expect(await test()).toMatchObject({ ok: true });
  });

  it('a private one is not stored', async () => {
    const { body } = await store('http://169.254.169.254/latest').expect(400);
    expect(body).toEqual({ error: `${provider}BaseUrl: 不能指向本机或内部网络`, statusCode: 400 });
  });

  it('a name that leads into the network is not connected to', async () => {
    const leading = dns.lookup;
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((name: string, ...rest: [never, never]) =>
        leading(name === 'lab.example' ? 'localhost' : name, ...rest)) as never);
    const { port } = new URL(ai.fake.baseUrl);
    await store(`http://lab.example:${port}/v1`).expect(200);
    expect(await test()).toEqual({ ok: false, error: `${provider} 无法连接,请检查地址与网络` });
    expect(ai.fake.received).toHaveLength(1);
  });
});
