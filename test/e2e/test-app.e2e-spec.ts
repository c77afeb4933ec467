import { Body, Controller, Get, Header, Injectable, Module, Post, Put, Redirect } from '@nestjs/common';
import { z } from 'zod';
import {
  type CurrentUser,
  Environment,
  EXTRA_ROLES,
  EXTRA_SETTINGS,
  Public,
  record,
  User,
} from '../../src/index';
import { createTestApp, ManualClock, type TestApp, type TestAppOptions } from '../../src/testing';
import { Clock } from '../../src/platform/common/clock';

const labelSettings = z.object({ LABEL_PREFIX: z.string().min(2) });

@Injectable()
class LabelsService {
  readonly prefix: string;
  constructor(
    environment: Environment,
    readonly clock: Clock,
  ) {
    this.prefix = environment.extra(labelSettings).LABEL_PREFIX;
  }
}

@Controller('ext/labels')
class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Get()
  read(@User() user: CurrentUser) {
    return record({ prefix: this.labels.prefix, now: this.labels.clock.now(), user });
  }

  @Public()
  @Get('text')
  @Header('Content-Type', 'text/plain')
  text() {
    return '{ no JSON';
  }

  @Public()
  @Get('moved')
  @Redirect('/api/ext/labels/text')
  moved() {}

  @Public()
  @Put('echo')
  @Post('echo')
  echo(@Body() body: object) {
    return record(body);
  }
}

@Module({
  controllers: [LabelsController],
  providers: [
    LabelsService,
    { provide: EXTRA_SETTINGS, useValue: labelSettings },
    { provide: EXTRA_ROLES, useValue: ['viewer'] },
  ],
})
class LabelsModule {}

const extensions = [LabelsModule];
const settings = { LABEL_PREFIX: 'LX' };

describe('createTestApp', () => {
  const clock = new ManualClock();
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ extensions, settings, clock })));
  afterAll(() => app.close());

  let other: TestApp | undefined;
  const another = async (options: TestAppOptions = {}) =>
    (other = await createTestApp({ extensions, settings, ...options }));
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });

  it('gives the whole service with the extension, its settings and the clock', async () => {
    const lin = await app.account('lin');
    expect(await lin.get('/api/ext/labels')).toMatchObject({
      status: 200,
      body: { data: { prefix: 'LX', now: clock.now(), user: { ...lin.user, username: 'lin' } } },
    });
    expect(app.get(LabelsService).prefix).toBe('LX');
    const { body } = await lin.post('/api/projects', { name: '面霜' });
    expect(await lin.get(`/api/projects/${body.data.id}`)).toMatchObject({ status: 200 });
    expect(await lin.put(`/api/projects/${body.data.id}`, { name: '乳液' })).toMatchObject({ status: 200 });
    expect(await lin.delete(`/api/projects/${body.data.id}`)).toMatchObject({ status: 204, text: '' });
  });

  it('gives accounts with their roles, each once', async () => {
    const ann = await app.account('ann', { role: 'viewer' });
    expect(ann.user).toMatchObject({ username: 'ann', role: 'viewer' });
    expect((await ann.get('/api/auth/me')).body.data).toEqual(ann.user);
    expect((await app.account('ann')).user).toEqual(ann.user);
    const [one, other] = await Promise.all([app.account(), app.account()]);
    expect(one.user.role).toBe('engineer');
    expect(one.user.id).not.toBe(other.user.id);
    expect((await app.anonymous.get('/api/auth/me', { Authorization: `Bearer ${ann.token}` })).status).toBe(
      200,
    );
  });

  it('gives an account that registered before, too', async () => {
    const { body } = await app.anonymous.post('/api/auth/register', { username: 'wei', password: 'secret' });
    expect((await app.account('wei')).user.id).toBe(body.data.id);
  });

  it('tells what was answered as it was', async () => {
    const answer = await app.anonymous.get('/api/ext/labels/text');
    expect(answer).toMatchObject({ status: 200, text: '{ no JSON', body: undefined });
    expect(answer.headers.get('content-type')).toMatch('text/plain');
    expect(await app.anonymous.get('/api/ext/labels/moved')).toMatchObject({ status: 302 });
    expect(await app.anonymous.get('/api/ext/labels')).toMatchObject({ status: 401 });
    expect(await app.anonymous.patch('/api/ext/labels')).toMatchObject({ status: 404 });
  });

  it('sends an object as JSON, and a text as it is', async () => {
    const json = await app.anonymous.put('/api/ext/labels/echo', { a: [1] });
    expect(json.body.data).toEqual({ a: [1] });
    const broken = await app.anonymous.put('/api/ext/labels/echo', '{', {
      'Content-Type': 'application/json',
    });
    expect(broken.status).toBe(400);
  });

  it('sends a header that is given in place of its own, however it is spelled', async () => {
    const lin = await app.account('lin');
    const ann = await app.account('ann');
    const { body } = await lin.get('/api/auth/me', { authorization: `Bearer ${ann.token}` });
    expect(body.data.username).toBe('ann');
    const text = await lin.put('/api/ext/labels/echo', {}, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });

  it('takes no notice of the process’s settings', async () => {
    const kept = process.env.LABEL_PREFIX;
    process.env.LABEL_PREFIX = 'of the process';
    try {
      expect((await another()).get(LabelsService).prefix).toBe('LX');
      await expect(createTestApp({ extensions })).rejects.toThrow('LABEL_PREFIX');
    } finally {
      if (kept === undefined) delete process.env.LABEL_PREFIX;
      else process.env.LABEL_PREFIX = kept;
    }
  });

  it('has a database of its own each time', async () => {
    const lin = await app.account('lin');
    await lin.post('/api/projects', { name: '面霜' });
    const namesake = await (await another()).account('lin');
    expect((await namesake.get('/api/projects')).body.data).toEqual([]);
    expect(namesake.user.id).not.toBe(lin.user.id);
  });

  it('has the request rate out of the way', async () => {
    const { headers } = await app.anonymous.get('/api/ext/labels/text');
    expect(headers.get('x-ratelimit-limit')).toBe('1000000');
  });

  it('takes further changes to the module, and limits the request rate where that is set', async () => {
    const limited = await another({
      settings: { ...settings, THROTTLE_LIMIT: '1' },
      adjust: (builder) => builder.overrideProvider(LabelsService).useValue({ prefix: 'replaced', clock }),
    });
    const lin = await limited.account();
    expect((await lin.get('/api/ext/labels')).body.data.prefix).toBe('replaced');
    expect((await lin.get('/api/ext/labels')).status).toBe(429);
  });

  it('tells all faults of settings at once', async () => {
    await expect(createTestApp({ extensions, settings: { PORT: 'many' } })).rejects.toThrow(
      /PORT[\s\S]*LABEL_PREFIX/,
    );
  });
});
