import { type Database } from '../../database/database';
import { ColorImportRepository } from './color-import.repository';
import { ColorImportService } from './color-import.service';
import { unheard } from '../../../test/support/events';

const draft = (line: number, name: string, L: number) => ({ line, name, targetLab: { L, a: 0, b: 0 } });

describe('ColorImportService', () => {
  const steps: unknown[] = [];
  const note =
    (step: string, result?: unknown) =>
    (...args: unknown[]) => {
      steps.push([step, ...args]);
      return Promise.resolve(result);
    };
  const stored = { ...draft(0, 'Old', 5), id: 'x', actualLab: null, deltaE: null, colorantComposition: null };
  const service = new ColorImportService(
    {
      transaction: async (work: () => Promise<unknown>) => {
        steps.push('begin');
        const result = await work();
        steps.push('end');
        return result;
      },
      lock: note('lock'),
      findByNames: note('find', [[], [stored]]),
      insert: note('insert'),
      update: note('update'),
    } as unknown as ColorImportRepository,
    unheard,
  );
  beforeEach(() => (steps.length = 0));

  it('locks before it looks, and writes what it found missing or changed, in one transaction', async () => {
    const drafts = [draft(2, 'new', 1), draft(3, 'NEW', 2), draft(4, 'old', 6)];
    await service.import({ drafts, createdBy: 'u' });
    const absent = { actualLab: null, deltaE: null, colorantComposition: null };
    expect(steps).toEqual([
      'begin',
      ['lock'],
      ['find', ['NEW', 'old']],
      ['insert', [{ name: 'NEW', targetLab: { L: 2, a: 0, b: 0 }, ...absent }], 'u'],
      ['update', [{ id: 'x', name: 'Old', targetLab: { L: 6, a: 0, b: 0 }, ...absent }]],
      'end',
    ]);
  });

  it('has the time that thousands of rows take', async () => {
    const database = { longTransaction: (work: () => Promise<number>) => work() } as unknown as Database;
    expect(await new ColorImportRepository(database).transaction(() => Promise.resolve(1))).toBe(1);
  });

  it('does nothing for nobody: a colour has an owner', async () => {
    await expect(service.import({ drafts: [draft(2, 'new', 1)] })).rejects.toThrow('createdBy is missing');
    expect(steps).toEqual([]);
  });
});
