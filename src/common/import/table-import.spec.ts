import 'reflect-metadata';
import { NumberField, TextField } from '../validation/fields';
import { FileColumn } from './import-column';
import type { ImportDraft, ImportRecord } from './plan-import';
import { type ImportStore, TableImport } from './table-import';

class Fields {}

class NotingImport extends TableImport {
  protected override notesOn(drafts: readonly ImportDraft[]): string[] {
    return drafts.map(({ line }) => `line ${line}`);
  }
}

describe('TableImport', () => {
  it('notes what there is to know of the rows that count, after what it is told to note', async () => {
    const store = {
      transaction: <T>(work: () => Promise<T>) => work(),
      findMatches: (drafts: readonly ImportDraft[]) => Promise.resolve(drafts.map(() => [])),
    } as unknown as ImportStore;
    const rules = { fields: Fields, key: ['name'], records: 'records', store: 'the store' } as const;
    const drafts = ['X', 'Y', 'x'].map((name, index) => ({ line: index + 2, name }));
    const report = await new NotingImport(store, rules).import({ drafts, notes: ['told'], dryRun: true });
    expect(report.notes).toEqual(['told', 'line 3', 'line 4']);
  });

  class Boxes {
    @TextField({ max: 9 })
    @FileColumn()
    name!: string;

    @NumberField({ presence: 'optional' })
    @FileColumn()
    size?: number | null;
  }

  /** A store of one box that notes what is done to it. */
  function noting() {
    const done: unknown[][] = [];
    const note = (...step: unknown[]) => {
      done.push(step);
      return Promise.resolve();
    };
    const box: ImportRecord = { id: '1', name: 'Box', size: 1 };
    const store: ImportStore = {
      transaction: async (work) => {
        await note('begin');
        const result = await work();
        await note('commit');
        return result;
      },
      lock: () => note('lock'),
      findMatches: async (drafts) => {
        await note('find', ...drafts.map(({ line }) => line));
        return drafts.map(({ name }) => (name === 'Box' ? [box] : []));
      },
      insert: async (creations) => {
        await note('insert', ...creations);
        return creations.map((_, index) => `${index}`);
      },
      update: (changes) => note('update', ...changes),
      eachPage: (take) => take([box]),
    };
    const rules = { fields: Boxes, key: ['name'], records: 'boxes', store: 'the shed' } as const;
    return { done, box, boxes: new TableImport(store, rules) };
  }

  it('compares and writes in one transaction, behind a lock; of rows with one key the last counts', async () => {
    const { done, boxes } = noting();
    const drafts = [
      { line: 2, name: 'Box', size: 5 },
      { line: 3, name: 'Jar', size: 3 },
      { line: 4, name: 'Box', size: 2 },
    ];
    expect(await boxes.import({ drafts })).toEqual({
      ...{ rows: 3, created: 1, updated: 1, unchanged: 0, refused: [], notes: [], applied: true },
      replaced: [{ line: 2, replacedBy: 4, key: 'Box' }],
    });
    expect(done).toEqual([
      ['begin'],
      ['lock'],
      ['find', 3, 4],
      ['insert', { name: 'Jar', size: 3 }],
      ['update', { id: '1', size: 2 }],
      ['commit'],
    ]);
  });

  it('exports what is stored', async () => {
    const { box, boxes } = noting();
    const pages: unknown[] = [];
    await boxes.export((records) => Promise.resolve(void pages.push(records)));
    expect(pages).toEqual([[box]]);
  });
});
