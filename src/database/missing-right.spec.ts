import { type DataSource, QueryFailedError } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';
import { explainingMissingRights } from './missing-right';

const failed = (code: string | undefined) =>
  new QueryFailedError('ALTER TABLE', [], Object.assign(new Error('no right'), { code }));

describe('explainingMissingRights', () => {
  const asked: string[] = [];
  const dataSource = {
    query: (text: string) => {
      asked.push(text);
      return Promise.resolve([{ role: '"a role"', schema: 'lab' }]);
    },
  } as unknown as DataSource;
  beforeEach(() => (asked.length = 0));

  it.each(['42501', '3F000'])('says of %s what to grant to whom, in names as SQL has them', async (code) => {
    const error = failed(code);
    await expect(explainingMissingRights(dataSource, () => Promise.reject(error))).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message:
        'The role "a role" of DATABASE_URL may not set up the database (no right). Let its owner run: ' +
        'GRANT USAGE, CREATE ON SCHEMA lab TO "a role"; tables of the service that are there must belong to "a role".',
      cause: error,
    });
    expect(asked).toEqual([expect.stringMatching(/quote_ident\(current_user\).*quote_ident\(coalesce\(/)]);
  });

  it.each([failed('42P07'), failed(undefined), new DatabaseSetupError('x'), new Error('y'), 'a text'])(
    'passes everything else on: %s',
    async (error) => {
      await expect(explainingMissingRights(dataSource, () => Promise.reject(error as Error))).rejects.toBe(
        error,
      );
      expect(asked).toEqual([]);
    },
  );

  it('passes on what the work gives', async () => {
    expect(await explainingMissingRights(dataSource, () => Promise.resolve(7))).toBe(7);
  });
});
