import {
  BadRequestException,
  ConflictException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
} from '@nestjs/common';
import { AiFailure } from '../common/errors/ai-failure';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  ServiceError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from '../common/errors/service-error';
import { ownText, type Text, text } from '../texts/text';
import { errorAnswer } from './error-body';

/** Of an extension that writes its own classes. */
class LocalisedError extends ServiceError {
  readonly status = 402;
  override readonly errorCode: string = 'budget.spent';

  constructor() {
    super('用完');
  }
}

class MisnamedError extends LocalisedError {
  override readonly errorCode = 'SPENT\r\nX: y';
}

const known: [ServiceError, number, string, object, object?][] = [
  [
    InvalidInputError.of([
      { field: 'a.0', message: '一' },
      { field: 'b', message: '二' },
    ]),
    400,
    'validation.failed',
    { error: 'a.0: 一; b: 二' },
  ],
  [
    new UnauthorizedError(),
    401,
    'auth.required',
    { error: '未登录或登录已过期' },
    { 'WWW-Authenticate': 'Bearer' },
  ],
  [
    new UnauthorizedError(text('auth.wrong-credentials'), {}),
    401,
    'auth.wrong-credentials',
    { error: '用户名或密码错误' },
  ],
  [new ForbiddenError(), 403, 'access.denied', { error: '无权限执行此操作' }],
  [new NotFoundError(text('ingredient.not-found')), 404, 'ingredient.not-found', { error: '成分不存在' }],
  [new ConflictError('x', { usageCount: 2 }), 409, 'error.409', { error: 'x', usageCount: 2 }],
  [
    new TooManyRequestsError(60, undefined, ownText('budget.tokens', '今日额度已用完')),
    429,
    'budget.tokens',
    { error: '今日额度已用完' },
    { 'Retry-After': '60' },
  ],
  [
    new TooManyRequestsError(3),
    429,
    'rate.limited',
    { error: '请求过于频繁,请稍后再试' },
    { 'Retry-After': '3' },
  ],
  [new UnavailableError('没有'), 503, 'error.503', { error: '没有' }],
  [new ConflictError(ownText('stability.locked', 'x')), 409, 'stability.locked', { error: 'x' }],
  [new LocalisedError(), 402, 'budget.spent', { error: '用完' }],
  [new MisnamedError(), 402, 'error.402', { error: '用完' }],
];

describe.each([true, false])('the answer to an error, production %s', (production) => {
  it.each(known)('%s keeps its text, details and headers', (error, status, code, body, headers = {}) => {
    expect(errorAnswer(error, production)).toEqual({
      status,
      body: { ...body, statusCode: status },
      headers,
      code,
      unexpected: false,
    });
  });

  it.each([
    [new BadRequestException(['a: 一', 'b: 二']), 400, 'a: 一; b: 二', 'validation.failed'],
    [new NotFoundException('没有'), 404, '没有', 'error.404'],
    [new NotFoundException(['没有']), 404, '没有', 'error.404'],
    [
      new ConflictException({ message: '锁定', errorCode: 'stability.locked' }),
      409,
      '锁定',
      'stability.locked',
    ],
    [new ConflictException({ message: '锁定', errorCode: 'X\r\nY: z' }), 409, '锁定', 'error.409'],
    [new HttpException('文本', 418), 418, '文本', 'error.418'],
    [new HttpException({ anything: 1 }, 409), 409, 'Http Exception', 'error.409'],
  ])('the framework’s %s', (error, status, text, code) => {
    expect(errorAnswer(error, production)).toMatchObject({
      status,
      body: { error: text, statusCode: status },
      code,
      unexpected: false,
    });
  });

  it.each([
    ['timeout', 504],
    ['deadline', 504],
    ['rate-limited', 503],
    ['not-configured', 503],
    ['connection', 502],
    ['server', 502],
    ['key-refused', 502],
    ['refused', 502],
  ] as const)(
    'a failed AI call (%s) is no fault of ours, and says nothing of the provider',
    (kind, status) => {
      const failure = new AiFailure(kind, 'gamma', { retryable: false, status: 401 });
      expect(errorAnswer(failure, production)).toEqual({
        status,
        body: { error: 'AI 服务暂时不可用,请稍后重试', statusCode: status },
        headers: {},
        code: 'ai.unavailable',
        unexpected: true,
      });
    },
  );

  it('a failed AI call says when to come back, where the provider did', () => {
    const failure = new AiFailure('rate-limited', 'gamma', { retryable: true, retryAfterMs: 2100 });
    expect(errorAnswer(failure, production).headers).toEqual({ 'Retry-After': '3' });
  });

  it('is never longer than 64 KB, and keeps the number of faults', () => {
    const worst = '\u0001'.repeat(100_000);
    const many = Array(100).fill({ field: worst, message: worst });
    for (const error of [
      InvalidInputError.of(many),
      new NotFoundError(worst),
      new HttpException(worst, 400),
    ]) {
      const { body } = errorAnswer(error, production);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(64 * 1024);
    }
    expect(errorAnswer(InvalidInputError.of(many), production).body.error).toMatch(/; 共100处错误$/);
  });

  it('names 20 faults of the framework’s, too', () => {
    const { error } = errorAnswer(new BadRequestException(Array(21).fill('a: 一')), production).body;
    expect(error).toBe(`${'a: 一; '.repeat(20)}共21处错误`);
  });

  it('Express’s own errors tell the client what it did wrong', () => {
    const of = (status: number) =>
      errorAnswer(Object.assign(new Error('x'), { status, expose: true }), production);
    expect(of(413)).toMatchObject({ body: { error: '请求体过大', statusCode: 413 }, code: 'body.too-large' });
    expect(of(415)).toMatchObject({
      body: { error: '不支持的请求体格式', statusCode: 415 },
      code: 'body.unsupported-format',
    });
    expect(of(400)).toMatchObject({
      body: { error: '请求格式错误', statusCode: 400 },
      code: 'request.malformed',
    });
    expect(of(399)).toMatchObject({ status: 500, unexpected: true });
    expect(of(499)).toMatchObject({ status: 499, unexpected: false });
    const status = { valueOf: () => 400 };
    expect(errorAnswer({ status, expose: true }, production).status).toBe(500);
    const unknown = errorAnswer(new Error('x'), production);
    expect(of(500)).toEqual(unknown);
  });

  it('a status of 500 and more of the framework’s is for the log, one below is not', () => {
    expect(errorAnswer(new HttpException('文本', 499), production).unexpected).toBe(false);
    expect(errorAnswer(new HttpException('文本', 502), production)).toMatchObject({
      status: 502,
      unexpected: true,
    });
  });

  it.each([
    new Error('secret'),
    new TypeError('secret'),
    Object.assign(new Error('secret'), { status: 401 }),
    Object.assign(new Error('secret'), { status: 404, expose: 'true' }),
    { status: 400 },
    'secret',
    null,
    undefined,
    0,
  ])('%p is unknown', (error) => {
    const text = production ? 'Internal Server Error' : '服务器内部错误';
    expect(errorAnswer(error, production)).toEqual({
      status: 500,
      body: { error: text, statusCode: 500 },
      headers: {},
      code: 'server.failed',
      unexpected: true,
    });
  });
});

it('a 500 of the framework is hidden in production only', () => {
  const error = new InternalServerErrorException('details');
  expect(errorAnswer(error, true)).toMatchObject({
    body: { error: 'Internal Server Error', statusCode: 500 },
    code: 'server.failed',
    unexpected: true,
  });
  expect(errorAnswer(error, false)).toMatchObject({
    body: { error: 'details' },
    code: 'server.failed',
    unexpected: true,
  });
});

it('is told by whoever knows the language, a known error’s details and an unknown one’s fixed text excepted', () => {
  const tell = (told: Text) => `<${typeof told === 'string' ? told : told.code}>`;
  const of = (error: unknown, production = true) => errorAnswer(error, production, tell).body;
  expect(of(new NotFoundError(text('formula.not-found'))).error).toBe('<formula.not-found>');
  expect(of(InvalidInputError.of([{ field: 'a', message: '一' }])).error).toBe('<validation.failed>');
  expect(of(new Error('x')).error).toBe('<Internal Server Error>');
  expect(of(new Error('x'), false).error).toBe('<server.failed>');
});
