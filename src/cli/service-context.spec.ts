import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TestIo } from '../../test/support/cli';
import { AppModule } from '../app.module';
import { AppServiceContext, type OpenService, ServiceContext } from './service-context';

afterEach(() => jest.restoreAllMocks());

class NotedService extends ServiceContext {
  readonly events: string[] = [];

  protected open(): Promise<OpenService> {
    this.events.push('open');
    const close = () => {
      this.events.push('close');
      return Promise.resolve();
    };
    return Promise.resolve({ get: () => undefined as never, close });
  }
}

describe('ServiceContext', () => {
  it.each([
    ['done', () => Promise.resolve('result'), { result: 'result' }],
    ['failed', () => Promise.reject(new Error('no')), { error: 'no' }],
  ])('closes the service when the work is %s, not before', async (_, end, expected) => {
    const service = new NotedService();
    const outcome = await service
      .use(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        service.events.push('work');
        return end();
      })
      .then(
        (result) => ({ result }),
        (error: Error) => ({ error: error.message }),
      );
    expect(outcome).toEqual(expected);
    expect(service.events).toEqual(['open', 'work', 'close']);
  });
});

describe('AppServiceContext', () => {
  /** What the service is opened with, and what becomes of it. */
  async function opened() {
    const context = { get: jest.fn(() => 'it'), close: jest.fn(() => Promise.resolve()) };
    const create = jest
      .spyOn(NestFactory, 'createApplicationContext')
      .mockResolvedValue(context as unknown as INestApplicationContext);
    const io = new TestIo();
    const got = await new AppServiceContext(io, AppModule).use((service) =>
      Promise.resolve(service.get(AppModule)),
    );
    const [module, options] = create.mock.calls[0] ?? [];
    return { context, io, got, module, options: { ...options } };
  }

  it('opens the application, gives what any of its modules has, and closes it', async () => {
    const { context, got, module, options } = await opened();
    // A start that fails is explained: the process is not ended on the spot.
    expect({ module, abortOnError: options.abortOnError }).toEqual({
      module: AppModule,
      abortOnError: false,
    });
    expect(got).toBe('it');
    expect(context.get).toHaveBeenLastCalledWith(AppModule, { strict: false });
    expect(context.close).toHaveBeenCalledTimes(1);
  });

  const withStack = (stack: string | undefined) => Object.assign(new Error('broken'), { stack });
  it.each<[what: string, level: 'log' | 'warn' | 'error', args: unknown[], told: string]>([
    ['of the database', 'log', ['Migrating', 'Database'], 'Migrating\n'],
    ['of security as JSON', 'log', [{ event: 'x' }, 'Security'], '{"event":"x"}\n'],
    ['nothing of the rest of the start', 'log', ['AppModule initialized', 'InstanceLoader'], ''],
    ['warnings as such', 'warn', ['the secret is known', 'Auth'], 'Warning: the secret is known\n'],
    ['errors without their context', 'error', ['down', 'the stack', 'Database'], 'down\n'],
    [
      'what comes with an error in words',
      'error',
      [{ err: { message: 'gone away' } }, 'The database is out of reach', 'Database'],
      'The database is out of reach: gone away\n',
    ],
    ['a warning with one', 'warn', [{ err: { message: 'x' } }, 'Lost', 'AiAudit'], 'Warning: Lost: x\n'],
    ['where an error comes from', 'error', [withStack('broken\n  at x')], 'broken\n  at x\n'],
    ['an error that has no stack', 'error', [withStack(undefined)], 'broken\n'],
    ['no failed start, which is thrown too', 'error', ['broken', 'stack', 'ExceptionHandler'], ''],
  ])('tells %s on standard error', async (_, level, args, told) => {
    const { io, options } = await opened();
    (options.logger as LoggerService)[level](...(args as [unknown, ...unknown[]]));
    expect({ stderr: io.stderr.text, stdout: io.stdout.text }).toEqual({ stderr: told, stdout: '' });
  });
});
