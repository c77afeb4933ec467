import type { Instances } from '../database/instances';
import type { Database } from '../database/database';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

describe('stored settings', () => {
  const instances = { tell: () => Promise.resolve() } as unknown as Instances;

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
      transaction: (work: () => Promise<void>) => work(),
      query: ({ name }: { name: string }, parameters: unknown) =>
        Promise.resolve(statements.push([name, parameters])),
    };
    await new RuntimeSettingsRepository(database as unknown as Database, instances).write(new Map(values));
    expect(statements).toEqual(expected);
  });

  it('are written, removed and replaced in one transaction that tells of it', async () => {
    let isInside = false;
    const statements: [string, boolean][] = [];
    const database = {
      transaction: async (work: () => Promise<void>) => {
        isInside = true;
        await work();
        isInside = false;
      },
      query: ({ name }: { name: string }) => Promise.resolve(statements.push([name, isInside])),
    };
    const repository = new RuntimeSettingsRepository(
      database as unknown as Database,
      {
        tell: () => Promise.resolve(void statements.push(['told', isInside])),
      } as unknown as Instances,
    );
    await repository.write(
      new Map([
        ['aiMock', 'true'],
        ['alphaKey', undefined],
      ]),
    );
    expect(statements).toEqual([
      ['runtime-settings.put', true],
      ['runtime-settings.remove', true],
      ['told', true],
    ]);
    statements.length = 0;
    await repository.replace([{ name: 'alphaKey', before: 'a', after: 'b' }]);
    expect(statements).toEqual([
      ['runtime-settings.replace', true],
      ['told', true],
    ]);
    await repository.replace([]);
    expect(statements).toHaveLength(2);
  });

  it('of others come from the connection that hears them, where that answers', async () => {
    const asked: unknown[] = [];
    const database = {
      query: (statement: object) => {
        asked.push(statement);
        return Promise.resolve([{ name: 'aiMock', value: 'true' }]);
      },
    };
    let heard: object[] | undefined = [{ name: 'aiMock', value: 'false' }];
    const repository = new RuntimeSettingsRepository(
      database as unknown as Database,
      { ask: () => Promise.resolve(heard) } as unknown as Instances,
    );
    expect((await repository.ofOthers(7)).get('aiMock')).toBe('false');
    expect(asked).toEqual([]);
    heard = undefined;
    expect((await repository.ofOthers(7)).get('aiMock')).toBe('true');
    expect(asked).toEqual([expect.objectContaining({ name: 'runtime-settings.all', patience: 7 })]);
  });
});
