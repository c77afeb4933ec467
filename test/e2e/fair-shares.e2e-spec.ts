import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { Clock } from '../../src/platform/common/clock';
import { ConcurrencyLimiter, type Lane } from '../../src/platform/request-limits/concurrency-limiter';
import { type Account, bootApp, type TestApp } from '../support/app';
import { expectError } from '../support/answers';
import { ManualClock } from '../support/clock';
import { TEST_SERVER } from '../support/databases';
import { Gate, GatedRoutesModule } from '../support/gated-routes';
import { HOUSE_LIMITS } from '../support/limits';

const TOO_MANY = '请求过于频繁,请稍后再试';
const WRONG = '用户名或密码错误';

/** Heavy statements of one client at once, and of all. */
const HEAVY = TEST_SERVER ? { ofOne: 2, ofAll: 3 } : { ofOne: 1, ofAll: 2 };

let service: TestApp;
let gate: Gate;
let clock: ManualClock;
let user: Account;
let other: Account;

async function boot(settings: Record<string, string> = {}): Promise<void> {
  clock = new ManualClock();
  service = await bootApp({
    settings,
    module: { imports: [AppModule.register({ extensions: [GatedRoutesModule] })] },
    adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  gate = service.app.get(Gate);
  user = await service.register('user');
  other = await service.register('other');
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n++) {
    if (n > 2000) throw new Error(`never: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Long enough for requests on their way to arrive, and not to be admitted. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

/** Permits of a lane that are given out. */
const running = (lane: Lane) => service.app.get(ConcurrencyLimiter).lanes[lane].running;
/** Of the lanes in which a client's requests are, once all answers have been taken. */
const inProgress = () => running('requests') + running('streams');

/** Requests that are sent now; their answers in the order of asking. */
const ask = (account: Account, path: string, times = 1) =>
  Array.from({ length: times }, () => account.get(path).then(({ status }) => status));

const portOf = () => (service.app.getHttpServer().address() as AddressInfo).port;

/** A request that can be left at any time. */
function leaving(account: Account, method: string, path: string) {
  const headers = { Authorization: `Bearer ${account.token}` };
  const request = httpRequest({ port: portOf(), method, path, headers, agent: false });
  request.on('error', () => undefined);
  const opened = new Promise<void>((resolve) => request.on('response', () => resolve()));
  request.end();
  return { opened, leave: () => request.destroy() };
}

/** A connection on which requests follow each other without waiting for answers, and nothing is read. */
function pipeline(account: Account, paths: string[]): Socket {
  const socket = connect(portOf());
  socket.on('error', () => undefined);
  socket.pause();
  for (const path of paths) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.token}\r\n\r\n`);
  }
  return socket;
}

describe('the share of a client', () => {
  beforeAll(() => boot({ CLIENT_CONCURRENCY: '2' }));
  afterAll(() => service.close());
  afterEach(async () => {
    await until(() => {
      gate.open();
      return inProgress() === 0;
    });
    gate.begun = 0;
  });

  it('is so many requests at once; the rest wait, and others do not', async () => {
    const answers = ask(user, '/api/ext/gated/short', 5);
    await until(() => gate.begun === 2);
    await other.get('/api/auth/me').expect(200);
    await aWhile();
    expect(gate.begun).toBe(2);
    gate.open(1);
    await until(() => gate.begun === 3);
    await until(() => {
      gate.open();
      return gate.begun === 5;
    });
    gate.open();
    expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
  });

  it('is the address’s where no token is needed or sent, ten times as large', async () => {
    const anybody = () => service.http.get('/api/ext/gated/public').then(({ status }) => status);
    const answers = Array.from({ length: 25 }, anybody);
    await until(() => gate.begun === 20);
    await aWhile();
    expect(gate.begun).toBe(20);
    await service.http.get('/api/health').expect(200);
    await user.get('/api/auth/me').expect(200);
    gate.open();
    await until(() => gate.begun === 25);
    gate.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });

  it('who leaves while waiting frees its place in the queue, and its handler is never called', async () => {
    const answers = ask(user, '/api/ext/gated/short', 2);
    await until(() => gate.begun === 2);
    const left = leaving(user, 'GET', '/api/ext/gated/short');
    await aWhile();
    left.leave();
    await aWhile();
    gate.open();
    await Promise.all(answers);
    await user.get('/api/auth/me').expect(200);
    expect(gate.begun).toBe(2);
  });

  it('who leaves while being served frees the place', async () => {
    const requests = [1, 2].map(() => leaving(user, 'GET', '/api/ext/gated/short'));
    await until(() => gate.begun === 2);
    for (const { leave } of requests) leave();
    await user.get('/api/auth/me').expect(200);
  });

  it('of one connection one request at a time; one that is cut with many on it leaves nothing behind', async () => {
    const socket = pipeline(
      user,
      [...Array(8).keys()].map(() => '/api/ext/gated/short'),
    );
    await until(() => gate.begun > 0);
    await aWhile();
    expect(gate.begun).toBe(1);
    gate.open();
    await until(() => gate.begun > 1);
    socket.destroy();
    await until(() => inProgress() === 0);
    expect(gate.begun).toBeLessThan(8);
  });

  it('an answer that is not read keeps its place until the reader goes', async () => {
    const sockets = [1, 2].map(() => pipeline(user, ['/api/ext/gated/large']));
    await until(() => gate.begun === 2);
    const [answer] = ask(user, '/api/ext/gated/short');
    await aWhile();
    expect(gate.begun).toBe(2);
    for (const socket of sockets) socket.destroy();
    await until(() => gate.begun === 3);
    gate.open();
    expect(await answer).toBe(200);
  });

  it('is given back by what fails: unknown records, bad bodies, no token', async () => {
    for (let n = 0; n < 5; n++) {
      await user.get('/api/ext/gated/failing').expect(400);
      await user.get('/api/formulas/no-uuid').expect(404);
      await user.post('/api/projects').type('json').send('{').expect(400);
      await service.http.get('/api/auth/me').expect(401);
    }
    expect(running('search')).toBe(0);
  });

  it('has 32 event streams apart; the next one waits for the end of one', async () => {
    const streams = Array.from({ length: 33 }, (_, n) =>
      leaving(user, 'POST', `/api/ext/gated/${n % 2 ? 'stream' : 'heavy-stream'}`),
    );
    const ends = jest.spyOn(service.app.get(ConcurrencyLimiter).lanes.ai, 'release');
    await until(() => gate.streams === 32);
    await aWhile();
    expect(gate.streams).toBe(32);
    expect(ends).not.toHaveBeenCalled();
    await user.get('/api/auth/me').expect(200);
    streams[0]!.leave();
    await streams[32]!.opened;
    expect(gate.streams).toBe(32);
    for (const { leave } of streams) leave();
    await until(() => gate.streams === 0 && running('ai') === 0);
    ends.mockRestore();
  });
});

describe('heavy work', () => {
  beforeAll(() => boot());
  afterAll(() => service.close());
  afterEach(async () => {
    await until(() => {
      gate.open();
      return inProgress() === 0 && running('search') === 0;
    });
    gate.begun = 0;
  });

  it('of one client leaves a turn to another, and short requests do not wait for it', async () => {
    const answers = ask(user, '/api/ext/gated/heavy', 7);
    await until(() => gate.begun === HEAVY.ofOne);
    await aWhile();
    expect(gate.begun).toBe(HEAVY.ofOne);
    await user.get('/api/auth/me').expect(200);
    const others = ask(other, '/api/ext/gated/heavy', 7);
    await until(() => gate.begun === HEAVY.ofAll);
    await aWhile();
    expect(gate.begun).toBe(HEAVY.ofAll);
    const all = Promise.all([...answers, ...others]);
    await until(() => {
      gate.open();
      return gate.begun === 14;
    });
    gate.open();
    expect(new Set(await all)).toEqual(new Set([200]));
  });

  it('a turn lasts as long as its work, also when its client has gone', async () => {
    const gone = Array.from({ length: HEAVY.ofOne }, () => leaving(user, 'GET', '/api/ext/gated/heavy'));
    await until(() => gate.begun === HEAVY.ofOne);
    for (const { leave } of gone) leave();
    const [answer] = ask(user, '/api/ext/gated/heavy');
    await aWhile();
    expect(gate.begun).toBe(HEAVY.ofOne);
    gate.open();
    await until(() => gate.begun === HEAVY.ofOne + 1);
    gate.open();
    expect(await answer).toBe(200);
  });

  it('who leaves while waiting for a turn never gets it', async () => {
    const answers = ask(user, '/api/ext/gated/heavy', HEAVY.ofOne);
    await until(() => gate.begun === HEAVY.ofOne);
    const left = leaving(user, 'GET', '/api/ext/gated/heavy');
    await aWhile();
    left.leave();
    await aWhile();
    gate.open();
    await Promise.all(answers);
    await until(() => running('search') === 0);
    expect(gate.begun).toBe(HEAVY.ofOne);
  });

  it('inside heavy work needs no second permit, inside an AI call it does', async () => {
    for (let n = 0; n <= HEAVY.ofOne; n++) await user.get('/api/ext/gated/nested').expect(200);
    expect(running('search') + running('write')).toBe(0);
    const answers = ask(user, '/api/ext/gated/ai', 4);
    await until(() => gate.begun === HEAVY.ofOne);
    await aWhile();
    expect([gate.begun, running('search'), running('ai')]).toEqual([HEAVY.ofOne, HEAVY.ofOne, 4]);
    await until(() => {
      gate.open();
      return gate.begun === 4;
    });
    gate.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(running('ai')).toBe(0);
  });

  /** The lanes that a request is in, in their order. */
  async function lanesOf(send: () => PromiseLike<unknown>): Promise<string[]> {
    const acquire = jest.spyOn(service.app.get(ConcurrencyLimiter), 'acquire');
    await send();
    const lanes = acquire.mock.calls.map(([lane]) => lane);
    acquire.mockRestore();
    return lanes;
  }

  it.each([
    ['/api/health', []],
    ['/api/auth/me', ['requests']],
    ['/api/formulas', ['requests', 'formulas']],
    ['/api/formulas?page=10', ['requests', 'formulas']],
    ['/api/formulas?page=11', ['requests', 'search']],
    ['/api/formulas?page=x', ['requests', 'formulas']],
    ['/api/formulas?search=', ['requests', 'formulas']],
    ['/api/formulas?%73earch=x', ['requests', 'search']],
    ['/api/formulas?limit=20', ['requests', 'formulas']],
    ['/api/formulas?limit=21', ['requests', 'reading']],
    ['/api/ai/search?q=x', ['requests', 'ai', 'search']],
    ['/api/color/formulas/match?L=1&a=1&b=1', ['requests', 'short']],
    ['/api/ingredients', ['requests', 'short']],
    ['/api/ingredients?search=x', ['requests', 'catalogue']],
    ['/api/ingredients?page=11', ['requests', 'catalogue']],
    ['/api/ingredients?limit=21', ['requests', 'catalogue']],
    ['/api/color/library?search=x', ['requests', 'catalogue']],
    ['/api/projects', ['requests', 'formulas']],
    ['/api/ext/export/colors', ['exports', 'sending', 'reading', 'reading']],
    ['/api/config', ['requests', 'short']],
  ])('GET %s is in the lanes %j', async (path, lanes) => {
    expect(await lanesOf(() => user.get(path))).toEqual(lanes);
  });

  it.each([
    ['#REF!', 'short'],
    ['Water', 'write'],
  ])('a file is read before it has a lane of the database: %s', async (name, lane) => {
    const send = () =>
      user
        .post('/api/ext/import/ingredients')
        .type('text/csv')
        .send(`INCI,chineseName\n${name},水`)
        .expect(200);
    expect(await lanesOf(send)).toEqual(['requests', 'uploads', 'receiving', 'files', lane]);
  });

  it.each([
    ['compositions that are refused', 'ingredients/compositions', 'ingredient,inciName,%\nx,y,#REF!', []],
    ['compositions', 'ingredients/compositions', 'ingredient,inciName,%\nx,y,100', ['write']],
    ['limits that are refused', 'limits/editions?edition=x', 'region,annex\nhouse,#REF!', []],
    ['limits', 'limits/editions?edition=x', HOUSE_LIMITS, ['write']],
  ])('of %s, too', async (_, path, file, lanes) => {
    await service.app.get(DataSource).query(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
    const send = () => user.post(`/api/ext/${path}`).type('text/csv').send(file);
    expect(await lanesOf(send)).toEqual(['requests', 'uploads', 'receiving', 'files', ...lanes]);
  });

  it.each([8192, 8193])('a composition of %d bytes', async (size) => {
    const lines = [{ ingredientId: user.id, percentage: 100 }];
    const input = JSON.stringify({
      name: '大',
      targetLab: { L: 50, a: 0, b: 0 },
      formulaId: user.id,
      colorantComposition: [],
      phases: [{ name: '相', sortOrder: 1, ingredients: lines }],
    });
    const body = input.padEnd(size - Buffer.byteLength(input) + input.length);
    const lane = size > 8192 ? 'write' : 'formulas';
    const send = (path: string) => user.post(path).type('json').send(body).expect(400);
    expect(await lanesOf(() => send('/api/formulas'))).toEqual(['requests', lane]);
    expect(await lanesOf(() => send('/api/color/formulas'))).toEqual(['requests', lane]);
    const revise = () => user.put(`/api/formulas/${user.id}/composition`).type('json').send(body).expect(404);
    expect(await lanesOf(revise)).toEqual(['requests', lane]);
  });

  it.each([
    ['/api/ai/predict-formula', ['streams', 'ai', 'catalogue']],
    ['/api/ai/explore-formula', ['streams', 'ai', 'catalogue']],
    ['/api/ai/extract-formula', ['streams', 'ai', 'catalogue']],
    ['/api/color/recommend', ['requests', 'ai']],
  ])('an answer of %s is in the lanes %j', async (path, lanes) => {
    const ingredients = [{ name: '水', percentage: 100, category: 'other' }];
    const targetLab = { L: 50, a: 0, b: 0 };
    const send = () =>
      user.post(path, { ingredients, costLimit: 10, text: '水 100%', targetLab }).expect(200);
    expect(await lanesOf(send)).toEqual(lanes);
    await until(() => running('ai') === 0);
  });
});

describe('at the default limit', () => {
  beforeAll(() => boot({ THROTTLE_LIMIT: '', THROTTLE_TTL: '' }));
  afterAll(() => service.close());
  beforeEach(() => clock.advance(60_000));

  it.each(['/api/auth/me', '/api/formulas?search=a'])(
    '100 requests at once for %s are answered',
    async (path) => {
      expect(new Set(await Promise.all(ask(user, path, 100)))).toEqual(new Set([200]));
      expect((await user.get(path)).status).toBe(429);
    },
  );

  it('100 streams at once are answered', async () => {
    const input = { ingredients: [{ name: '水', percentage: 100, category: 'other' }] };
    const answers = Array.from({ length: 100 }, () => user.post('/api/ai/predict-formula', input));
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('70 logins at once are answered', async () => {
    const body = { username: 'user', password: 'secret' };
    const answers = Array.from({ length: 70 }, () => service.http.post('/api/auth/login').send(body));
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a full queue', () => {
  beforeAll(() => boot({ CLIENT_CONCURRENCY: '1', THROTTLE_LIMIT: '2' }));
  afterAll(() => service.close());

  it('holds two windows of requests; the next is 429 with the time to come back', async () => {
    clock.advance(60_000);
    const answers = ask(user, '/api/ext/gated/short', 1);
    await until(() => gate.begun === 1);
    for (let n = 0; n < 4; n++) {
      clock.advance(60_000);
      answers.push(...ask(user, '/api/ext/gated/short'));
      await aWhile();
    }
    clock.advance(60_000);
    const refused = await user.get('/api/auth/me');
    expectError(refused, 429, TOO_MANY);
    expect(refused.headers).toMatchObject({
      'retry-after': '2',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '60',
    });
    await until(() => {
      gate.open();
      return gate.begun === 5;
    });
    gate.open();
    expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('failed logins', () => {
  beforeAll(() => boot({ TRUST_PROXY: '1' }));
  afterAll(() => service.close());
  beforeEach(() => clock.advance(3_600_000));

  const login = (address: string, password: string, username = 'victim') =>
    service.http.post('/api/auth/login').set('X-Forwarded-For', address).send({ username, password });
  const register = (username: string, address: string) =>
    service.http
      .post('/api/auth/register')
      .set('X-Forwarded-For', address)
      .send({ username, password: 'secret' })
      .expect(201);

  it('of one who guesses another’s password close the account to the guesser alone', async () => {
    await register('victim', '10.0.0.1');
    for (let n = 0; n < 10; n++) expectError(await login('10.6.6.6', `guess ${n}`), 401, WRONG);
    for (const password of ['guess 10', 'secret']) {
      const refused = await login('10.6.6.6', password);
      expectError(refused, 429, TOO_MANY);
      expect(refused.headers).toMatchObject({
        'retry-after': '60',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '60',
      });
    }
    await login('10.0.0.1', 'secret').expect(200);
    await login('10.0.0.2', 'secret').expect(200);
    clock.advance(60_000);
    expectError(await login('10.6.6.6', 'guess 11'), 401, WRONG);
  });

  it('sent at once are ten at most, and meanwhile the owner signs in', async () => {
    await register('flooded', '10.0.0.1');
    const guesses = Array.from({ length: 40 }, (_, n) => login('10.6.6.7', `guess ${n}`, 'flooded'));
    const owner = login('10.0.0.1', 'secret', 'flooded');
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect((await owner).status).toBe(200);
  });

  it('logins that succeed do not count', async () => {
    await register('busy', '10.0.0.1');
    for (let n = 0; n < 12; n++) await login('10.0.0.1', 'secret', 'busy').expect(200);
  });

  it('tell no account from none', async () => {
    for (let n = 0; n < 10; n++) expectError(await login('10.6.6.8', `guess ${n}`, 'nobody'), 401, WRONG);
    expectError(await login('10.6.6.8', 'guess 10', 'nobody'), 429, TOO_MANY);
  });
});
