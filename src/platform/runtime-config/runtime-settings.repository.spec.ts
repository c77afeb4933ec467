import type { DatabaseService } from '../database/database.service';
import type { TransactionManager } from '../database/transaction-manager';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

/** A stub with `query` and `run`. */
const repositoryOn = (stub: object) =>
  new RuntimeSettingsRepository(stub as DatabaseService, stub as TransactionManager);

describe('stored settings', () => {
  it.each<[string, [string, string | undefined][], unknown[][]]>([
    ['nothing', [], []],
    [
      'values',
      [
        ['a', '1'],
        ['b', ''],
      ],
      [
        [
          'runtime-settings.put',
          [
            ['a', 'b'],
            ['1', ''],
          ],
        ],
      ],
    ],
    ['names to remove', [['a', undefined]], [['runtime-settings.remove', [['a']]]]],
  ])('of %s no more is written than there is', async (_, values, expected) => {
    const statements: unknown[][] = [];
    const database = {
      run: (work: () => Promise<void>) => work(),
      query: ({ name }: { name: string }, parameters: unknown) =>
        Promise.resolve(statements.push([name, parameters])),
    };
    await repositoryOn(database).write(new Map(values));
    expect(statements).toEqual(expected);
  });

  it('are written and removed in one transaction, and replaced by one statement', async () => {
    let isInside = false;
    const statements: [string, boolean][] = [];
    const database = {
      run: async (work: () => Promise<void>) => {
        isInside = true;
        await work();
        isInside = false;
      },
      query: ({ name }: { name: string }) => Promise.resolve(statements.push([name, isInside])),
    };
    const repository = repositoryOn(database);
    await repository.write(
      new Map([
        ['aiMock', 'true'],
        ['alphaKey', undefined],
      ]),
    );
    expect(statements).toEqual([
      ['runtime-settings.put', true],
      ['runtime-settings.remove', true],
    ]);
    statements.length = 0;
    await repository.replace([{ name: 'alphaKey', before: 'a', after: 'b' }]);
    expect(statements).toEqual([['runtime-settings.replace', false]]);
    await repository.replace([]);
    expect(statements).toHaveLength(1);
  });
});
