import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, map, of } from 'rxjs';
import { chain } from './interceptor-chain';

const CONTEXT = {} as ExecutionContext;
const around = (name: string): NestInterceptor => ({
  intercept: (_, next: CallHandler<string>) => next.handle().pipe(map((inner) => `${name}(${inner})`)),
});

describe('chain', () => {
  it('puts the first interceptor outermost', async () => {
    const handler = chain([around('a'), around('b')], CONTEXT, { handle: () => of('x') });
    expect(await lastValueFrom(handler.handle())).toBe('a(b(x))');
  });

  it('waits for an interceptor that has to look something up first', async () => {
    const slow: NestInterceptor = {
      intercept: (context, next) =>
        Promise.resolve(around('slow').intercept(context, next)) as ReturnType<NestInterceptor['intercept']>,
    };
    expect(await lastValueFrom(chain([slow], CONTEXT, { handle: () => of('x') }).handle())).toBe('slow(x)');
  });

  it('runs everything inside anew for each time an interceptor handles', async () => {
    let runs = 0;
    const twice: NestInterceptor = {
      intercept: async (_, next) => {
        await lastValueFrom(next.handle());
        return next.handle();
      },
    };
    const counting: NestInterceptor = {
      intercept: (_, next) => {
        runs += 1;
        return next.handle();
      },
    };
    await lastValueFrom(chain([twice, counting], CONTEXT, { handle: () => of('x') }).handle());
    expect(runs).toBe(2);
  });

  it('a failure of an interceptor is a failure of the call', async () => {
    const broken: NestInterceptor = {
      intercept: () => {
        throw new Error('broken');
      },
    };
    await expect(lastValueFrom(chain([broken], CONTEXT, { handle: () => of('x') }).handle())).rejects.toThrow(
      'broken',
    );
  });
});
