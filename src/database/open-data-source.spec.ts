import { AsyncLocalStorage } from 'node:async_hooks';
import { createDataSource } from './open-data-source';

describe('createDataSource', () => {
  it('tells of lost connections outside of the request in whose time they were made or lost', async () => {
    const request = new AsyncLocalStorage<string>();
    const told: unknown[] = [];
    const tell = (text: string) => told.push([text, request.getStore()]);
    const location = { kind: 'server', url: 'postgres://nobody@127.0.0.1:1/none' } as const;
    const { options } = await createDataSource({ location, poolSize: 1, log: tell, warn: tell });
    told.length = 0;
    const { poolErrorHandler } = options as { poolErrorHandler: (error: Error) => void };
    request.run('a request', () => poolErrorHandler(new Error('cut')));
    expect(told).toEqual([['Lost an idle database connection: cut', undefined]]);
  });
});
