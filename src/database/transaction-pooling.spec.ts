import type { Pool } from 'pg';
import { refuseTransactionPooling } from './transaction-pooling';

describe('refuseTransactionPooling', () => {
  /** A pooler that gives each connection a session of its own and refuses BEGIN with this code. */
  function poolerRefusing(code: string) {
    let connections = 0;
    const release = jest.fn();
    const connect = () => {
      const pid = ++connections;
      const query = (text: string) =>
        text === 'BEGIN'
          ? Promise.reject(Object.assign(new Error('no'), { code }))
          : Promise.resolve({ rows: [{ pid }] });
      return Promise.resolve({ processID: 100 + pid, on: () => undefined, query, release });
    };
    return { pool: { connect } as unknown as Pool, release };
  }

  it('takes a pooler that allows no transactions for one that gives each statement another session', async () => {
    const { pool, release } = poolerRefusing('08P01');
    await expect(refuseTransactionPooling(pool)).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringContaining('pool_mode = session'),
    });
    expect(release.mock.calls).toEqual([[true], [true]]);
  });

  it('takes no other error for that', async () => {
    await expect(refuseTransactionPooling(poolerRefusing('08006').pool)).rejects.toMatchObject({
      code: '08006',
    });
  });
});
