import { EventEmitter } from 'node:events';
import { type ExecutionContext, HttpException, Logger } from '@nestjs/common';
import type { Strategy } from 'passport';
import { ForbiddenError, UnauthorizedError, UnavailableError } from '../platform/common/errors/service-error';
import { OtherStrategies, StrategyTimeout } from './other-strategies';
import type { UsersRepository } from './users.repository';

const ACCOUNT = { id: '00000000-0000-4000-8000-00000000000a', username: 'lin', role: 'viewer' };

interface Actions {
  success(user: unknown, info?: unknown): void;
  fail(challenge?: string): void;
  pass(): void;
  error(error: unknown): void;
}

function setUp(authenticate: (this: Actions) => unknown) {
  const request: Record<string, unknown> = {};
  const response = Object.assign(new EventEmitter(), {
    closed: false,
    destroyed: false,
    req: { socket: { destroyed: false } },
  });
  const context = {
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
  } as unknown as ExecutionContext;
  const findCurrent = jest.fn((id: string) =>
    Promise.resolve(id === ACCOUNT.id ? { ...ACCOUNT, tokenVersion: 3 } : undefined),
  );
  const others = new OtherStrategies({ findCurrent } as unknown as UsersRepository, new StrategyTimeout());
  const strategy = { authenticate } as unknown as Strategy;
  const ask = () => others.authenticate({ name: 'badge', strategy }, context);
  return { ask, request, response, findCurrent, strategy };
}

describe('The strategy of an extension', () => {
  let logged: jest.SpyInstance;
  beforeEach(() => {
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  });
  afterEach(() => {
    logged.mockRestore();
    jest.useRealTimers();
  });
  const log = () => JSON.stringify(logged.mock.calls);

  it('gives an account, as the database has it', async () => {
    const { ask, request } = setUp(function () {
      this.success({ ...ACCOUNT, username: 'Lin', role: 'admin', secret: 'x' }, { scope: 'read' });
    });
    expect(await ask()).toEqual(ACCOUNT);
    expect(request.authInfo).toEqual({ scope: 'read' });
  });

  it('has an object of its own for each request', async () => {
    const { ask, strategy } = setUp(function () {
      (this as { seen?: boolean }).seen = true;
      this.success(ACCOUNT);
    });
    await ask();
    expect(Object.keys(strategy)).toEqual(['authenticate']);
  });

  it.each<[string, (this: Actions) => void]>([
    [
      'fails',
      function () {
        this.fail('Key');
      },
    ],
    [
      'passes',
      function () {
        this.pass();
      },
    ],
    [
      'gives nobody',
      function () {
        this.success(null);
      },
    ],
    [
      'reports no error',
      function () {
        this.error(null);
      },
    ],
  ])('that %s leaves it to the next', async (_, authenticate) => {
    expect(await setUp(authenticate).ask()).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });

  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['true', true],
    ['a name', 'lin'],
    ['a promise', Promise.resolve(ACCOUNT)],
    ['an id that is none', { ...ACCOUNT, id: 'badge-7' }],
    ['no username', { ...ACCOUNT, username: undefined }],
    ['no role', { id: ACCOUNT.id, username: 'lin' }],
  ])('that gives %s: 401, and the log names it', async (_, user) => {
    const { ask, findCurrent } = setUp(function () {
      this.success(user);
    });
    await expect(ask()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(logged.mock.calls).toEqual([['The strategy "badge" gave no user of ours (id, username, role)']]);
    expect(findCurrent).not.toHaveBeenCalled();
  });

  it('that gives somebody without an active account: 401, and the log names it', async () => {
    const { ask } = setUp(function () {
      this.success({ ...ACCOUNT, id: '00000000-0000-4000-8000-00000000000b' });
    });
    await expect(ask()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(logged.mock.calls).toEqual([['The strategy "badge" gave a user without an active account']]);
  });

  it.each<[string, (this: Actions) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('a fault');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a fault'))],
    [
      'reports an error',
      function () {
        this.error(new Error('a fault'));
      },
    ],
    [
      'reports a 500',
      function () {
        this.error(new HttpException('a fault', 500));
      },
    ],
    [
      'gives what throws',
      function () {
        this.success({
          get id() {
            throw new Error('a fault');
          },
        });
      },
    ],
  ])('that %s: 503, and the log names it and why', async (_, authenticate) => {
    await expect(setUp(authenticate).ask()).rejects.toMatchObject({
      status: 503,
      message: '服务繁忙,请稍后再试',
      headers: { 'Retry-After': '2' },
    });
    expect(log()).toContain('The strategy \\"badge\\" has failed');
    expect(log()).toContain('a fault');
  });

  it('that reports what is no error, its key say: 503 without it', async () => {
    const { ask } = setUp(function () {
      this.error('key-of-lin');
    });
    await expect(ask()).rejects.toBeInstanceOf(UnavailableError);
    expect(log()).not.toContain('key-of-lin');
  });

  it.each([new ForbiddenError(), new UnavailableError('away'), new HttpException('gone', 410)])(
    'says itself what it answers: %s',
    async (error) => {
      const { ask } = setUp(() => Promise.reject(error));
      await expect(ask()).rejects.toBe(error);
      expect(logged).not.toHaveBeenCalled();
    },
  );

  it('that never answers: 503 after 10 seconds, and the log names it; what it says later is not heard', async () => {
    jest.useFakeTimers();
    let late: Actions | undefined;
    const { ask, response } = setUp(function () {
      // eslint-disable-next-line @typescript-eslint/no-this-alias
      late = this;
      return new Promise(() => undefined);
    });
    const outcome = jest.fn();
    const asked = ask().catch(outcome);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(outcome).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledWith(
      expect.objectContaining({ status: 503, headers: { 'Retry-After': '2' } }),
    );
    expect(logged.mock.calls).toEqual([['The strategy "badge" has not answered within 10000 ms']]);
    expect(response.listenerCount('close')).toBe(0);
    late!.success(ACCOUNT);
    await asked;
    expect(outcome).toHaveBeenCalledTimes(1);
  });

  it('is not waited for when the client goes away, nor asked when it has', async () => {
    jest.useFakeTimers();
    const authenticate = jest.fn();
    const { ask, response } = setUp(authenticate);
    const asked = ask();
    response.closed = true;
    response.emit('close');
    await expect(asked).rejects.toBeInstanceOf(UnavailableError);
    await expect(ask()).rejects.toBeInstanceOf(UnavailableError);
    expect(authenticate).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
    expect(logged).not.toHaveBeenCalled();
  });

  it('leaves nothing behind when it has answered', async () => {
    jest.useFakeTimers();
    const { ask, response } = setUp(function () {
      this.success(ACCOUNT);
    });
    await ask();
    expect(jest.getTimerCount()).toBe(0);
    expect(response.listenerCount('close')).toBe(0);
  });
});
