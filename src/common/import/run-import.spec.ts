import type { RefusedRow } from './import-report';
import { type ImportOptions, runImport } from './run-import';

type Draft = { line: number; is: 'new' | 'other' | 'same' | 'bad' };

const linesOf = (drafts: readonly Draft[], is: Draft['is']) =>
  drafts.filter((draft) => draft.is === is).map(({ line }) => line);
const draftsOf = (is: Draft['is'], count: number) =>
  Array.from({ length: count }, (_, index): Draft => ({ line: index + 2, is }));
const refuse = (line: number): RefusedRow => ({ line, reason: 'bad' });

/** Imports into a target that notes what it was told. */
async function start(kept: readonly Draft[], options: ImportOptions = {}) {
  const told: (string | number | undefined)[][] = [];
  const note = async (step: string, rows?: readonly unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    told.push(rows ? [step, rows.length] : [step]);
  };
  const target = {
    transaction: async <T>(work: () => Promise<T>) => {
      const result = await work();
      await note('commit');
      return result;
    },
    lock: () => note('lock'),
    plan: async (drafts: readonly Draft[]) => {
      await note('plan', drafts);
      return {
        creations: linesOf(drafts, 'new'),
        changes: linesOf(drafts, 'other'),
        unchanged: linesOf(drafts, 'same').length,
        refused: linesOf(drafts, 'bad').map(refuse),
      };
    },
    insert: (creations: readonly number[]) => note('insert', creations),
    update: (changes: readonly number[]) => note('update', changes),
  };
  const replaced = [{ line: 1, replacedBy: 2, key: 'x' }];
  const onProgress: ImportOptions['onProgress'] = (...step) => told.push(step);
  return { report: await runImport(target, { kept, replaced }, { onProgress, ...options }), told };
}

describe('runImport', () => {
  it('compares behind a lock, writes, and reports all rows of the file', async () => {
    const { report, told } = await start([
      { line: 2, is: 'new' },
      { line: 3, is: 'other' },
      { line: 4, is: 'same' },
    ]);
    expect(told).toEqual([
      ['lock'],
      ['plan', 3],
      ['compared', 3, 3],
      ['insert', 1],
      ['written', 1, 2],
      ['update', 1],
      ['written', 2, 2],
      ['commit'],
    ]);
    expect(report).toEqual({
      rows: 4,
      created: 1,
      updated: 1,
      unchanged: 1,
      replaced: [{ line: 1, replacedBy: 2, key: 'x' }],
      refused: [],
      notes: [],
      applied: true,
    });
  });

  it.each([
    ['while it was read', [{ line: 2, is: 'new' }], [refuse(3)]],
    ['when it was compared', [...draftsOf('new', 1), { line: 3, is: 'bad' }], []],
  ] as [string, Draft[], RefusedRow[]][])(
    'writes nothing when a row was refused %s',
    async (_, kept, refused) => {
      const { report, told } = await start(kept, { refused });
      const count = kept.length;
      expect(told).toEqual([['lock'], ['plan', count], ['compared', count, count], ['commit']]);
      expect(report).toMatchObject({ rows: 3, created: 1, refused: [refuse(3)], applied: false });
    },
  );

  it('writes the other rows if told to, and names the refused ones in the order of their lines', async () => {
    const kept: Draft[] = [
      { line: 3, is: 'bad' },
      { line: 5, is: 'new' },
    ];
    const { report, told } = await start(kept, { refused: [refuse(2), refuse(10)], skipRefused: true });
    expect(told).toContainEqual(['insert', 1]);
    expect(report.refused.map(({ line }) => line)).toEqual([2, 3, 10]);
    expect(report.applied).toBe(true);
  });

  it('neither locks nor writes in a dry run', async () => {
    const { report, told } = await start(draftsOf('new', 1), { dryRun: true, skipRefused: true });
    expect(told).toEqual([['plan', 1], ['compared', 1, 1], ['commit']]);
    expect(report).toMatchObject({ created: 1, applied: false });
  });

  it('works in batches and tells how far it is', async () => {
    const kept = [...draftsOf('new', 2001), ...draftsOf('other', 2000)];
    const { told } = await start(kept);
    expect(told.slice(1, -1)).toEqual([
      ...[
        ['plan', 2000],
        ['compared', 2000, 4001],
      ],
      ...[
        ['plan', 2000],
        ['compared', 4000, 4001],
      ],
      ...[
        ['plan', 1],
        ['compared', 4001, 4001],
      ],
      ...[
        ['insert', 2000],
        ['written', 2000, 4001],
      ],
      ...[
        ['insert', 1],
        ['written', 2001, 4001],
      ],
      ...[
        ['update', 2000],
        ['written', 4001, 4001],
      ],
    ]);
  });

  it('adds up what it finds in all batches', async () => {
    expect((await start(draftsOf('same', 2001))).report.unchanged).toBe(2001);
  });

  it('needs nobody to tell', async () => {
    const { report } = await start([{ line: 2, is: 'new' }], { onProgress: undefined });
    expect(report.applied).toBe(true);
  });
});
