import { Client } from 'pg';

/** How many statements reach the database while `work` runs, whichever way they take: every one goes through pg's client. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}
