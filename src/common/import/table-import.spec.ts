import type { ImportDraft } from './plan-import';
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
});
