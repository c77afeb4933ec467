import { EventEmitter } from 'node:events';
import { serverDriver } from './server-driver';

type Options = { query_timeout?: number; onConnect(client: object): Promise<void> };

const optionsOf = (limits?: { statementSeconds: number; lockSeconds: number }) =>
  new (serverDriver(limits).Pool)({ max: 3 }).options as unknown as Options;

const clientWith = (query: jest.Mock) => Object.assign(new EventEmitter(), { query });

describe('A new connection', () => {
  it.each([
    ['has the limits of the settings', { statementSeconds: 7, lockSeconds: 2 }, ['7s', '2s'], 9000],
    ['of the set-up may take its time, but for locks', undefined, ['0s', '30s'], undefined],
  ])('%s, and must answer within five seconds', async (_, limits, values, query_timeout) => {
    const options = optionsOf(limits);
    expect(options).toMatchObject({ max: 3 });
    expect(options.query_timeout).toBe(query_timeout);
    const query = jest.fn().mockResolvedValue({ rows: [] });
    await options.onConnect(clientWith(query));
    expect(query.mock.calls).toEqual([
      [{ text: expect.stringContaining('set_config') as string, values, query_timeout: 5000 }],
    ]);
    const [[{ text }]] = query.mock.calls as [[{ text: string }]];
    const settings = [...text.matchAll(/set_config\('(\w+)', ([^,]+), false\)/g)].map(([, ...both]) => both);
    expect(Object.fromEntries(settings)).toEqual({
      statement_timeout: '$1',
      idle_in_transaction_session_timeout: '$1',
      lock_timeout: '$2',
      client_connection_check_interval: "'500ms'",
      jit: "'off'",
      max_parallel_workers_per_gather: "'0'",
      extra_float_digits: "'1'",
      timezone: "'UTC'",
      default_transaction_isolation: "'read committed'",
    });
  });

  it('that is lost while it is in use does not end the process', async () => {
    const client = clientWith(jest.fn().mockResolvedValue({ rows: [] }));
    await optionsOf().onConnect(client);
    expect(() => client.emit('error', new Error('lost'))).not.toThrow();
  });

  it('that cannot be set up is none', async () => {
    const query = jest.fn().mockRejectedValue(new Error('no'));
    await expect(optionsOf().onConnect(clientWith(query))).rejects.toThrow('no');
  });

  it('is closed when its statement has timed out without an answer, and kept when it was answered', () => {
    const pool = new (serverDriver().Pool)();
    const released = (isUnanswered: boolean) => {
      const client = { _getActiveQuery: () => (isUnanswered ? {} : null), end: jest.fn() };
      pool.emit('release', undefined, client);
      return client.end.mock.calls.length;
    };
    expect([released(true), released(false)]).toEqual([1, 0]);
  });
});
