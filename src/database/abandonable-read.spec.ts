import { AbandonableRead } from './abandonable-read';

describe('AbandonableRead', () => {
  const abandoned = (text: string) => {
    const cancel = jest.fn<void, [readonly unknown[], () => boolean]>();
    const values: unknown[] = [];
    const read = new AbandonableRead(text, values, { cancel });
    read.abandon();
    return { read, cancel, values };
  };

  it.each([
    'SELECT 1',
    '\n  select 1',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT deleted FROM updates',
  ])('cancels what only reads: %j', (text) => {
    const { read, cancel, values } = abandoned(text);
    expect(read.isAbandoned).toBe(true);
    expect(cancel).toHaveBeenCalledTimes(1);
    const [given, hasEnded] = cancel.mock.calls[0]!;
    expect(given).toBe(values);
    expect(hasEnded()).toBe(false);
    read.hasEnded = true;
    expect(hasEnded()).toBe(true);
  });

  it.each([
    'INSERT INTO a VALUES (1)',
    'WITH a AS (INSERT INTO b VALUES (1) RETURNING *) SELECT * FROM a',
    'WITH a AS (update b SET c = 1 RETURNING *) SELECT * FROM a',
    'WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a',
    'WITH a AS (SELECT 1) MERGE INTO b USING a ON true',
    'SELECTED',
    'LOCK TABLE a; SELECT 1',
  ])('lets what may write go on: %j', (text) => {
    const { read, cancel } = abandoned(text);
    expect([read.isAbandoned, cancel.mock.calls.length]).toEqual([false, 0]);
  });

  it('is known as abandoned where nothing can be cancelled', () => {
    const read = new AbandonableRead('SELECT 1', [], {});
    expect(read.isAbandoned).toBe(false);
    read.abandon();
    expect(read.isAbandoned).toBe(true);
  });
});
