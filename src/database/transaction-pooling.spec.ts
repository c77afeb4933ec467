import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { refuseTransactionPooling } from './transaction-pooling';

const REFUSED = {
  name: 'DatabaseSetupError',
  message:
    'The pooler at DATABASE_URL gives every transaction another session: set pool_mode = session for this database in ' +
    'PgBouncer (or what its like is elsewhere), or let DATABASE_URL lead to the PostgreSQL server itself',
};

/**
 * A pooler.
 * @param sessions of each connection, one by one as it is asked; the last is that of all further answers
 * @param failure of BEGIN
 * @param processIds what each connection was told at its start
 */
function pooler(sessions: number[][], failure?: Error, processIds = [101, 102]) {
  const said: string[] = [];
  const clients: EventEmitter[] = [];
  const connect = () => {
    const at = clients.length;
    const own = [...sessions[at]!];
    const client = Object.assign(new EventEmitter(), {
      processID: processIds[at],
      query: (text: string) => {
        if (text.startsWith('SELECT')) {
          return Promise.resolve({ rows: [{ pid: own.length > 1 ? own.shift() : own[0] }] });
        }
        said.push(`${at} ${text}`);
        return text === 'BEGIN' && failure ? Promise.reject(failure) : Promise.resolve({ rows: [] });
      },
      release: (destroy: unknown) => void said.push(`${at} ${destroy === true ? 'ended' : 'kept'}`),
    });
    clients.push(client);
    return Promise.resolve(client);
  };
  return { pool: { connect } as unknown as Pool, said, clients };
}

const times = (count: number, session: number) => Array.from({ length: count }, () => session);

describe('refuseTransactionPooling', () => {
  it('asks nothing more of the server itself', async () => {
    const { pool, said, clients } = pooler([[101]]);
    await refuseTransactionPooling(pool);
    expect(said).toEqual(['0 ended']);
    // A connection that is lost must not end the process.
    expect(() => clients[0]!.emit('error', new Error('lost'))).not.toThrow();
  });

  it('takes a pooler whose connections keep their sessions for ten rounds, whatever comes after', async () => {
    const { pool, said, clients } = pooler([
      [...times(21, 7), 8],
      [...times(11, 9), 8],
    ]);
    await refuseTransactionPooling(pool);
    const rounds = Array.from({ length: 10 }, () => ['1 BEGIN', '1 COMMIT']).flat();
    expect(said).toEqual([...rounds, '0 ended', '1 ended']);
    for (const client of clients) expect(() => client.emit('error', new Error('lost'))).not.toThrow();
  });

  it.each([
    ['has one session for two connections', [[7], [7]], []],
    ['gives a connection another session', [[7, 8], [9]], []],
    ['gives a transaction another session', [[7], [9, 10]], ['1 BEGIN', '1 COMMIT']],
    ['gives it another while a transaction is open', [[7, 7, 8], [9]], ['1 BEGIN', '1 COMMIT']],
  ])('refuses a pooler that %s', async (_, sessions, steps) => {
    const { pool, said } = pooler(sessions);
    await expect(refuseTransactionPooling(pool)).rejects.toMatchObject(REFUSED);
    expect(said).toEqual([...steps, '0 ended', '1 ended']);
  });

  it('refuses a pooler that shows itself in the tenth round only', async () => {
    await expect(refuseTransactionPooling(pooler([[...times(20, 7), 8], [9]]).pool)).rejects.toMatchObject(
      REFUSED,
    );
  });

  const failure = (code: string) => Object.assign(new Error('no'), { code });

  it('takes a pooler that allows no transactions for one that gives each statement another session', async () => {
    const cause = failure('08P01');
    const { pool, said } = pooler([[7], [9]], cause);
    await expect(refuseTransactionPooling(pool)).rejects.toMatchObject({ ...REFUSED, cause });
    expect(said).toEqual(['1 BEGIN', '0 ended', '1 ended']);
  });

  it('takes no other error for that', async () => {
    const other = failure('08006');
    const { pool, said } = pooler([[7], [9]], other);
    await expect(refuseTransactionPooling(pool)).rejects.toBe(other);
    expect(said).toEqual(['1 BEGIN', '0 ended', '1 ended']);
  });
});
