import { RowFilter } from '../platform/access/row-filter';
import 'reflect-metadata';
import { NumberField, TextField } from '../platform/validation/fields';
import { EntityImport } from './entity-import';
import type { ImportDraft, ImportRequest } from './file-import';
import type { ImportRecord } from './import-plan';
import type { ImportRepository } from './import-repository';
import { FileColumn } from './mapping/file-column';

class Fields {}

class NotingImport extends EntityImport {
  protected override notesOn(drafts: readonly ImportDraft[]): string[] {
    return drafts.map(({ line }) => `line ${line}`);
  }
}

describe('EntityImport', () => {
  it('notes what there is to know of the rows that count, after what it is told to note', async () => {
    const store = {
      transaction: <T>(work: () => Promise<T>) => work(),
      findMatches: (drafts: readonly ImportDraft[]) => Promise.resolve(drafts.map(() => [])),
    } as unknown as ImportRepository;
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
    const store = {
      transaction: async (work: () => Promise<unknown>) => {
        await note('begin');
        const result = await work();
        await note('commit');
        return result;
      },
      lock: () => note('lock'),
      findMatches: async (drafts: readonly ImportDraft[]) => {
        await note('find', ...drafts.map(({ line }) => line));
        return drafts.map(({ name }) => (name === 'Box' ? [box] : []));
      },
      insert: async (creations: readonly object[]) => {
        await note('insert', ...creations);
        return creations.map((_, index) => `${index}`);
      },
      update: (changes: readonly object[]) => note('update', ...changes),
      readPage: () => Promise.resolve([{ ...box, sortName: 'box' }]),
    } as unknown as ImportRepository;
    const rules = { fields: Boxes, key: ['name'], records: 'boxes', store: 'the shed' } as const;
    return { done, box, boxes: new EntityImport(store, rules) };
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
    for await (const page of boxes.records(RowFilter.EVERYTHING)) pages.push(page);
    expect(pages).toEqual([[box]]);
  });

  it.each([
    ['none', [0]],
    ['a page that is not full', [999]],
    ['a full one, and nothing behind it', [1000, 0]],
    ['two', [1000, 1]],
  ])('exports %s', async (_, lengths) => {
    const after: unknown[] = [];
    const left = [...lengths];
    const store = {
      readPage: (_filter: RowFilter, last?: unknown) => {
        after.push(last);
        return Promise.resolve(
          Array.from({ length: left.shift()! }, (_each, n) => ({ id: `i${n}`, sortName: `n${n}` })),
        );
      },
    } as unknown as ImportRepository;
    const rules = { fields: Boxes, key: ['name'], records: 'boxes', store: 'the shed' } as const;
    const taken: number[] = [];
    for await (const page of new EntityImport(store, rules).records(RowFilter.EVERYTHING)) {
      // The next page is read when this one has been taken.
      expect(after).toHaveLength(taken.push(page.length));
    }
    expect(taken).toEqual(lengths.filter((length) => length > 0));
    expect(after).toEqual(lengths.map((__, n) => (n === 0 ? undefined : { id: 'i999', sortName: 'n999' })));
  });

  describe('with many rows', () => {
    /** Imports rows of which `new` ones are missing, `other` ones differ and `bad` ones match two records. */
    async function run(kinds: readonly string[], options: Omit<ImportRequest, 'drafts'> = {}) {
      const steps: unknown[][] = [];
      const note = (step: string, rows?: readonly unknown[]) => {
        steps.push(rows ? [step, rows.length] : [step]);
        return Promise.resolve();
      };
      const repository = {
        transaction: async (work: () => Promise<unknown>) => {
          const result = await work();
          await note('commit');
          return result;
        },
        lock: () => note('lock'),
        findMatches: async (drafts: readonly ImportDraft[]) => {
          await note('plan', drafts);
          const box = (name: unknown) => ({ id: name, name, size: 1 });
          return drafts.map(({ kind, name }) =>
            kind === 'new' ? [] : kind === 'bad' ? [box(name), box(name)] : [box(name)],
          );
        },
        insert: async (creations: readonly unknown[], createdBy?: string) => {
          await note(`insert for ${createdBy}`, creations);
          return creations.map(() => 'id');
        },
        update: (changes: readonly unknown[]) => note('update', changes),
      } as unknown as ImportRepository;
      const rules = { fields: Boxes, key: ['name'], records: 'boxes', store: 'the shed' } as const;
      const drafts = kinds.map((kind, index) => ({
        line: index + 2,
        name: `Box ${index}`,
        size: kind === 'other' ? 2 : 1,
        kind,
      }));
      const onProgress: ImportRequest['onProgress'] = (...step) => steps.push(step);
      const boxes = new EntityImport(repository, rules);
      return { report: await boxes.import({ drafts, createdBy: 'u', onProgress, ...options }), steps };
    }
    const refused = [{ line: 99, reason: 'bad' }];

    it('compares and writes in batches, and tells how far it is', async () => {
      const { report, steps } = await run([
        ...new Array<string>(2001).fill('new'),
        ...new Array<string>(2000).fill('other'),
        'same',
      ]);
      expect(steps).toEqual([
        ['lock'],
        ['plan', 2000],
        ['compared', 2000, 4002],
        ['plan', 2000],
        ['compared', 4000, 4002],
        ['plan', 2],
        ['compared', 4002, 4002],
        ['insert for u', 2000],
        ['written', 2000, 4001],
        ['insert for u', 1],
        ['written', 2001, 4001],
        ['update', 2000],
        ['written', 4001, 4001],
        ['commit'],
      ]);
      expect(report).toMatchObject({ rows: 4002, created: 2001, updated: 2000, unchanged: 1, applied: true });
    });

    it.each([
      ['while it was read', ['new'], refused, 99],
      ['when it was compared', ['new', 'bad'], [], 3],
    ])('writes nothing when a row was refused %s', async (_, kinds, earlier, line) => {
      const { report, steps } = await run(kinds, { refused: earlier });
      expect(steps.map(([step]) => step)).toEqual(['lock', 'plan', 'compared', 'commit']);
      expect(report).toMatchObject({ rows: 2, created: 1, refused: [{ line }], applied: false });
    });

    it('writes the other rows if told to, and names the refused ones in the order of their lines', async () => {
      const { report, steps } = await run(['bad', 'new'], { refused, skipRefused: true });
      expect(steps).toContainEqual(['insert for u', 1]);
      expect(report.refused.map(({ line }) => line)).toEqual([2, 99]);
      expect(report.applied).toBe(true);
    });

    it('neither locks nor writes in a dry run', async () => {
      const { report, steps } = await run(['new'], { dryRun: true, skipRefused: true });
      expect(steps).toEqual([['plan', 1], ['compared', 1, 1], ['commit']]);
      expect(report).toMatchObject({ created: 1, applied: false });
    });
  });
});
