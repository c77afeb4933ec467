import type { Database } from '../database/database';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

describe('stored settings', () => {
  it('are written and removed in one transaction', async () => {
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
    const repository = new RuntimeSettingsRepository(database as unknown as Database);
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
  });
});
