import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { Body, ConflictException, Controller, Get, HttpException, Module, Post } from '@nestjs/common';
import { IsEmail } from 'class-validator';
import type { OpenAPIObject } from '@nestjs/swagger';
import { NEVER, throwError } from 'rxjs';
import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import {
  AiService,
  apiDocument,
  AppModule,
  ConflictError,
  LANGUAGE,
  type Language,
  NotFoundError,
  ownText,
  Public,
  streamOpened,
  StreamsEvents,
  TextField,
} from '../../src';
import { ERRORS } from '../../src/platform/texts/catalogue';
import { definedTexts } from '../../src/platform/texts/define-texts';
import { OpenStreams } from '../../src/platform/sse/open-streams';
import { expectError, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { loseDatabase } from '../support/databases';

/** Every text, so that none is told in Chinese: its code and its placeholders. */
const everything = Object.fromEntries(
  Array.from(definedTexts(), ([code, [text]]) => [
    code,
    [`EN ${code}`, ...[...text.matchAll(/\{\w+\}/g)].map(([name]) => name)].join(' '),
  ]),
);

const ENGLISH: Language = { header: 'X-Language', value: 'en', texts: everything };
const PARTLY: Language = {
  header: 'X-Language',
  value: 'fr',
  texts: { 'formula.not-found': 'Aucune formule' },
};

class MailDto {
  @TextField({ max: 3 })
  name!: string;

  @IsEmail({}, { message: '不是邮箱' })
  mail!: string;
}

@Controller('ext/broken')
class BrokenController {
  @Get('plain')
  plain(): never {
    throw new NotFoundError('没有');
  }

  @Get('own')
  own(): never {
    throw new ConflictError(ownText('stability.locked', '锁定'), { by: 'a' });
  }

  @Get('nest')
  nest(): never {
    throw new ConflictException({ message: '锁定', errorCode: 'stability.locked' });
  }

  @Get('teapot')
  teapot(): never {
    throw new HttpException('茶壶', 418);
  }

  @Post('mail')
  mail(@Body() input: MailDto) {
    return input;
  }

  @Public()
  @Get('error')
  error(): never {
    throw new Error('secret');
  }

  @Get('stream')
  @StreamsEvents()
  stream() {
    return throwError(() => new Error('secret')).pipe(streamOpened());
  }

  @Get('endless')
  @StreamsEvents()
  endless() {
    return NEVER.pipe(streamOpened());
  }
}

@Module({
  controllers: [BrokenController],
  providers: [{ provide: LANGUAGE, useFactory: () => [ENGLISH, PARTLY] }],
})
class EnglishModule {}

const statusesOf = (code: string): readonly number[] => [ERRORS[code as keyof typeof ERRORS][2]].flat();

/** An error has a code of the catalogue that goes with its status. */
function expectCatalogued({ status, headers, text }: Pick<Response, 'status' | 'headers' | 'text'>): void {
  const code = headers['x-error-code'];
  expect({ status, text, code, known: code !== undefined && Object.hasOwn(ERRORS, code) }).toMatchObject({
    known: true,
  });
  expect(statusesOf(code!)).toContain(status);
}

/** What a server answers to bytes that are no request. */
async function answerTo(service: TestApp, bytes: string): Promise<string> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return readAll(socket);
}

describe('the code of an error', () => {
  let service: TestApp;
  let user: Account;
  let document: OpenAPIObject;

  beforeAll(async () => {
    service = await bootApp({ settings: { AI_MOCK: 'true', CORS_ORIGIN: 'https://lab.example' } });
    user = await service.register();
    document = apiDocument(service.app);
  });
  afterAll(() => service.close());

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({ method: method as 'get', path: path.replace('{id}', NOWHERE) })),
    );

  it('is of the catalogue, for every route and every way to go wrong', async () => {
    const seen = new Map<string, number>();
    const note = (answer: Response) => {
      if (answer.status < 400) expect(answer.headers).not.toHaveProperty('x-error-code');
      else {
        expectCatalogued(answer);
        seen.set(answer.headers['x-error-code']!, answer.status);
      }
      expect(answer.headers).not.toHaveProperty('content-language');
    };
    expect(operations().length).toBeGreaterThan(20);
    // Signing out ends the token: it comes last, and is an account's of its own.
    const walker = await service.register();
    const isLast = ({ path }: { path: string }) => Number(path === '/api/ext/auth/logout');
    for (const { method, path } of operations().sort((one, two) => isLast(one) - isLast(two))) {
      const signed = () => service.http[method](path).set('Authorization', `Bearer ${walker.token}`);
      note(await service.http[method](path));
      note(await signed());
      note(await signed().query({ limit: 'x', page: '-1', q: '\u0000', sortBy: 'x', L: '1' }));
      note(await signed().send({}));
      note(await signed().send([]));
      note(await signed().send({ name: 5, phases: [{}], ingredients: 'x', targetLab: 5, text: '\ud800' }));
      note(await signed().type('json').send('{'));
      note(await signed().type('text').send('x'));
      note(await signed().set('Content-Encoding', 'gzip').type('json').send('{}'));
      note(
        await signed()
          .type('json')
          .send(`{"a":"${'x'.repeat(1024 * 1024)}"}`),
      );
    }
    expect(Object.fromEntries(seen)).toMatchObject({
      'validation.failed': 400,
      'body.malformed': 400,
      'body.not-an-object': 400,
      'auth.required': 401,
      'auth.credentials-required': 400,
      'auth.username-required': 400,
      'ingredient.not-found': 404,
      'project.not-found': 404,
      'formula.not-found': 404,
      'body.too-large': 413,
      'body.not-json': 415,
      'body.unsupported-encoding': 415,
    });
  }, 120_000);

  it.each([
    ['get', '/api/nowhere', undefined, 'route.not-found'],
    ['get', '/api/formulas/%', undefined, 'request.malformed-path'],
    ['post', '/api/auth/login', { username: 'x', password: 'wrong' }, 'auth.wrong-credentials'],
    ['post', '/api/auth/login', { username: 'x' }, 'auth.password-required'],
    ['post', '/api/auth/register', { username: 'x', password: 'x' }, 'auth.password-too-short'],
  ] as const)('%s %s %j', async (method, path, body, code) => {
    const answer = await service.http[method](path).send(body);
    expectCatalogued(answer);
    expect(answer.headers['x-error-code']).toBe(code);
  });

  it('tells what one may not do', async () => {
    const { body: project } = await user.post('/api/projects', { name: '项目' }).expect(201);
    const answer = await (await service.register()).delete(`/api/projects/${project.data.id}`);
    expectError(answer, 403, '无权限执行此操作');
    expect(answer.headers['x-error-code']).toBe('access.denied');
  });

  it('tells a taken name and a used ingredient', async () => {
    const again = await service.http
      .post('/api/auth/register')
      .send({ username: user.username, password: 'secret' });
    expect(again.headers['x-error-code']).toBe('auth.username-taken');
    const { body: ingredient } = await user
      .post('/api/ingredients', { inciName: 'Aqua', chineseName: '水', functionCategory: 'other' })
      .expect(201);
    const lines = [{ ingredientId: ingredient.data.id as string, percentage: 100 }];
    const phases = [{ name: '水相', sortOrder: 1, ingredients: lines }];
    await user.post('/api/formulas', { name: '配方', phases }).expect(201);
    const answer = await user.delete(`/api/ingredients/${ingredient.data.id}`);
    expectError(answer, 409, '该成分已被配方引用,无法删除', { usageCount: 1 });
    expect(answer.headers['x-error-code']).toBe('ingredient.in-use');
  });

  it.each([
    ['GET / HTTP/1.1\r\nHost\r\n\r\n', 400, 'request.malformed'],
    ['GET /?q=甘油 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'request.unencoded-address'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'request.headers-too-large'],
  ])('is told of what is no HTTP: %#', async (bytes, status, code) => {
    const answer = await answerTo(service, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`\r\nX-Error-Code: ${code}\r\n`);
    expect(statusesOf(code)).toContain(status);
  });

  it('may be read by a browser of another origin', async () => {
    const answer = await service.http.get('/api/formulas').set('Origin', 'https://lab.example');
    expect(answer.headers['access-control-expose-headers']!.split(',')).toContain('X-Error-Code');
  });

  it('changes no text, whatever language a browser asks for', async () => {
    const answer = await user.get(`/api/formulas/${NOWHERE}`).set({ 'Accept-Language': 'en' });
    expectError(answer, 404, '配方不存在');
    expect(answer.headers.vary).not.toMatch(/accept-language/i);
    expect(answer.headers).not.toHaveProperty('content-language');
  });
});

describe('English', () => {
  let service: TestApp;
  let user: Account;

  beforeAll(async () => {
    service = await bootApp({ settings: { CORS_ORIGIN: 'https://lab.example' } });
    user = await service.register();
  });
  afterAll(() => service.close());

  it.each([
    ['/api/nowhere', 404, 'There is no such endpoint'],
    [`/api/formulas/${NOWHERE}`, 404, 'The formula does not exist'],
    ['/api/formulas?limit=101&page=x', 400, 'page: must be an integer; limit: must be at most 100'],
    ['/api/ext/formulas/x/cost', 404, 'The formula does not exist'],
  ])('is the language of errors with X-Language: en, %s', async (path, status, error) => {
    const answer = await user.get(path).set('X-Language', 'en');
    expectError(answer, status, error);
    expect(answer.headers).toMatchObject({ 'content-language': 'en' });
    expect(answer.headers.vary).toContain('X-Language');
  });

  it('tells anonymous clients to sign in', async () => {
    const answer = await service.http.get('/api/formulas').set('X-Language', 'EN');
    expectError(answer, 401, 'Not signed in, or the session has expired');
  });

  it('tells the faults of a body', async () => {
    const phases = [{ name: '', sortOrder: 0.5, ingredients: [] }];
    const answer = await user.post('/api/formulas', { name: 5, phases }).set('X-Language', 'en');
    expectError(
      answer,
      400,
      'name: must be a string; phases.0.name: must not be empty; phases.0.sortOrder: must be an integer; ' +
        'phases.0.ingredients: must have at least 1 item(s)',
    );
    const malformed = await user.post('/api/formulas').set('X-Language', 'en').type('json').send('{');
    expectError(malformed, 400, 'The request body is not valid JSON');
  });

  it('is the language of messages in streams', async () => {
    jest.spyOn(service.app.get(AiService), 'call').mockReturnValueOnce(throwError(() => new Error('x')));
    const predicted = await user
      .post('/api/ai/predict-formula', { ingredients: [{ name: '水', category: 'other', percentage: 100 }] })
      .set('X-Language', 'en')
      .buffer(true);
    expect(predicted.text).toBe(
      'data: {"type":"error","content":"The AI service was interrupted; try again"}\n\n',
    );
  });

  it('may be asked for by browsers of other origins', async () => {
    const answer = await service.http.options('/api/formulas').set({
      Origin: 'https://lab.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization,x-language',
    });
    expect(answer.headers['access-control-allow-headers']).toMatch(/\bx-language\b/i);
  });
});

describe('the code of an error that the service cannot help', () => {
  it('is told of the rate limit', async () => {
    const service = await bootApp({ settings: { THROTTLE_LIMIT: '1' } });
    try {
      await service.http.get('/api/nowhere');
      const answer = await service.http.get('/api/nowhere');
      expectError(answer, 429, '请求过于频繁,请稍后再试');
      expect(answer.headers['x-error-code']).toBe('rate.limited');
    } finally {
      await service.close();
    }
  });

  it('is told of a database that is away, by health too', async () => {
    const service = await bootApp();
    service.app.useLogger(false);
    try {
      const user = await service.register();
      await loseDatabase(service.app.get(DataSource));
      const answers = [await user.get('/api/formulas'), await service.http.get('/api/health')];
      for (const answer of answers) {
        expect(answer.body).toMatchObject({ error: '数据库不可用', statusCode: 503 });
        expect(answer.headers['x-error-code']).toBe('database.unavailable');
      }
    } finally {
      await service.close();
    }
  });
});

describe('a language of an extension', () => {
  let service: TestApp;
  let user: Account;

  beforeAll(async () => {
    service = await bootApp({
      module: { imports: [AppModule.register({ extensions: [EnglishModule] })] },
      settings: { AI_MOCK: 'true' },
    });
    service.app.useLogger(false);
    user = await service.register();
  });
  afterAll(() => service.close());

  it('is told where its header asks for it, with its name', async () => {
    const answer = await user.get(`/api/formulas/${NOWHERE}`).set('X-Language', 'en');
    expectError(answer, 404, 'EN formula.not-found');
    expect(answer.headers).toMatchObject({
      'content-language': 'en',
      'x-error-code': 'formula.not-found',
      vary: 'X-Language',
    });
  });

  it.each([{}, { 'Accept-Language': 'en' }, { 'X-Language': 'de' }])(
    'is not told for %j',
    async (headers) => {
      const answer = await user.get(`/api/formulas/${NOWHERE}`).set(headers);
      expectError(answer, 404, '配方不存在');
      expect(answer.headers.vary).toBe('X-Language');
      expect(answer.headers).not.toHaveProperty('content-language');
    },
  );

  it('gives way to the contract’s where a text is not translated', async () => {
    const french = (path: string) => user.get(path).set('X-Language', 'fr');
    expectError(await french(`/api/formulas/${NOWHERE}`), 404, 'Aucune formule');
    const answer = await french(`/api/projects/${NOWHERE}`);
    expectError(answer, 404, '项目不存在');
    expect(answer.headers).not.toHaveProperty('content-language');
  });

  it.each([
    ['post', '/api/projects', {}, 'name: EN field.required'],
    ['post', '/api/projects', { name: 'x'.repeat(201) }, 'name: EN field.text-too-long 200'],
    ['post', '/api/projects', { name: 5 }, 'name: EN field.not-a-text'],
    [
      'get',
      '/api/ingredients?limit=101&page=0',
      undefined,
      'page: EN field.too-small 1; limit: EN field.too-great 100',
    ],
    [
      'post',
      '/api/formulas',
      {
        name: '配方',
        phases: [{ name: '水相', sortOrder: 1, ingredients: [{ ingredientId: NOWHERE, percentage: 1 }] }],
      },
      'phases: EN formula.percentage-sum 99.5 100.5 1',
    ],
    [
      'post',
      '/api/formulas',
      {
        name: '配方',
        phases: [{ name: '水相', sortOrder: 1, ingredients: [{ ingredientId: NOWHERE, percentage: 100 }] }],
      },
      'phases.0.ingredients.0.ingredientId: EN ingredient.not-found',
    ],
    ['post', '/api/ai/explore-formula', {}, 'costLimit: EN exploration.without-goal'],
    ['get', '/api/color/library?L=5', undefined, 'a: EN color.incomplete-lab; b: EN color.incomplete-lab'],
    ['post', '/api/projects', { name: '\u0000' }, 'name: EN field.null-character'],
    [
      'post',
      '/api/ext/broken/mail',
      { name: 'abcd', mail: 'x' },
      'name: EN field.text-too-long 3; mail: 不是邮箱',
    ],
  ] as const)('tells field faults: %s %s', async (method, path, body, faults) => {
    const request = method === 'get' ? user.get(path) : user.post(path, body);
    const answer = await request.set('X-Language', 'en');
    expectError(answer, 400, `EN validation.failed ${faults}`);
    expect(answer.headers['x-error-code']).toBe('validation.failed');
  });

  it('tells the number of all faults', async () => {
    const phases = Array.from({ length: 21 }, () => ({}));
    const answer = await user.post('/api/formulas', { name: 'x', phases }).set('X-Language', 'en');
    expect(answer.body.error).toMatch(/; EN validation\.more-faults \d+$/);
  });

  it.each([
    ['plain', 404, { error: '没有', statusCode: 404 }, 'error.404'],
    ['own', 409, { error: '锁定', by: 'a', statusCode: 409 }, 'stability.locked'],
    ['nest', 409, { error: '锁定', statusCode: 409 }, 'stability.locked'],
    ['teapot', 418, { error: '茶壶', statusCode: 418 }, 'error.418'],
  ])('leaves what an extension tells as it is: %s', async (path, status, body, code) => {
    const answer = await user.get(`/api/ext/broken/${path}`).set('X-Language', 'en');
    expect({ status: answer.status, body: answer.body as unknown }).toEqual({ status, body });
    expect(answer.headers['x-error-code']).toBe(code);
    expect(answer.headers).not.toHaveProperty('content-language');
  });

  it('tells an unknown error, without what is in it', async () => {
    const answer = await service.http.get('/api/ext/broken/error').set('X-Language', 'en');
    expectError(answer, 500, 'EN server.failed');
    expect(answer.headers['x-error-code']).toBe('server.failed');
  });

  it('tells what ends an event stream', async () => {
    const failed = await user.get('/api/ext/broken/stream').set('X-Language', 'en').buffer(true);
    expect(failed.text).toBe('data: {"type":"error","content":"EN server.failed"}\n\n');
    jest.spyOn(service.app.get(AiService), 'call').mockReturnValueOnce(throwError(() => new Error('x')));
    const predicted = await user
      .post('/api/ai/predict-formula', { ingredients: [{ name: '水', category: 'other', percentage: 100 }] })
      .set('X-Language', 'en')
      .buffer(true);
    expect(predicted.text).toBe('data: {"type":"error","content":"EN ai.stream-failed"}\n\n');
  });

  it('tells what a provider’s test has found', async () => {
    await service.app.get(DataSource).query(`UPDATE users SET role = 'admin' WHERE id = '${user.id}'`);
    const answer = await user.post('/api/config/test', { provider: 'alpha' }).set('X-Language', 'en');
    expect(answer.body).toEqual({ ok: false, error: 'EN ai-test.not-configured alpha' });
    expect(answer.headers['content-language']).toBe('en');
  });

  it('tells readers of streams that the service stops', async () => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/ext/broken/endless`, {
      headers: { Authorization: `Bearer ${user.token}`, 'X-Language': 'en' },
    });
    service.app.get(OpenStreams).onModuleDestroy();
    expect(await answer.text()).toBe('data: {"type":"error","content":"EN stream.stopping"}\n\n');
  });
});

describe('a language that cannot be taken', () => {
  @Module({ providers: [{ provide: LANGUAGE, useValue: ENGLISH }] })
  class AgainModule {}

  const of = (value: object) => {
    @Module({ providers: [{ provide: LANGUAGE, useValue: value }] })
    class OtherModule {}
    return OtherModule;
  };

  it.each([
    [[EnglishModule, AgainModule], 'LANGUAGE X-Language: en is provided in EnglishModule and AgainModule'],
    [[of({ ...ENGLISH, header: 'Accept-Language' })], 'LANGUAGE in OtherModule is chosen by Accept-Language'],
    [
      [of({ ...ENGLISH, texts: { 'formula.gone': 'x' } })],
      'LANGUAGE in OtherModule has a text for "formula.gone"',
    ],
    [
      [of({ ...ENGLISH, texts: { 'field.required': '{a}' } })],
      'LANGUAGE in OtherModule names {a} in the text of',
    ],
  ])('refuses the start: %#', async (extensions, why) => {
    await expect(bootApp({ module: { imports: [AppModule.register({ extensions })] } })).rejects.toThrow(why);
  });
});
