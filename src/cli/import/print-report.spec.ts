import { PassThrough, Readable } from 'node:stream';
import type { ImportReport } from '../../files/import-report';
import { CliIo, SilentFailure } from '../cli-io';
import { printReport, reportLines } from './print-report';

const report = (values: Partial<ImportReport> = {}): ImportReport => ({
  rows: 7000,
  created: 6974,
  updated: 20,
  unchanged: 4,
  replaced: [],
  refused: [],
  notes: [],
  applied: true,
  ...values,
});

describe('reportLines', () => {
  it('counts', () => {
    expect(reportLines(report(), '/some/where/file.csv', false)).toEqual([
      'file.csv, 7,000 rows: imported',
      '  6,974  created',
      '     20  updated',
      '      4  unchanged',
      '      0  replaced by a later row',
      '      0  refused',
    ]);
  });

  it('names replaced and refused rows by their lines, and notes', () => {
    const lines = reportLines(
      report({
        replaced: [{ line: 3, replacedBy: 9, key: 'Urea (BASF)' }],
        refused: [
          { line: 4, faults: [{ reason: 'inciName: is empty' }] },
          { line: 7, faults: [{ reason: 'unitPrice: must not be negative, is -1' }] },
        ],
        notes: ['something odd'],
        applied: false,
      }),
      'file.csv',
      false,
    );
    expect(lines[0]).toBe(
      'file.csv, 7,000 rows: nothing was changed, because rows are refused (--partial imports the others)',
    );
    expect(lines.slice(6)).toEqual([
      '',
      'Replaced, because a later row is the same record:',
      '  line 3: Urea (BASF) (line 9 counts)',
      '',
      'Refused:',
      '  line 4: inciName: is empty',
      '  line 7: unitPrice: must not be negative, is -1',
      '',
      'Notes:',
      '  something odd',
    ]);
  });

  it('says that a dry run changed nothing', () => {
    expect(reportLines(report({ applied: false }), 'file.csv', true)[0]).toBe(
      'file.csv, 7,000 rows: dry run, nothing was changed; an import would do this',
    );
  });
});

describe('printReport', () => {
  class TestIo extends CliIo {
    readonly stdin = Readable.from([]);
    readonly stdout = new PassThrough();
    readonly stderr = new PassThrough();
  }
  const refused = [{ line: 4, faults: [{ reason: 'inciName: is empty' }] }];
  const path = 'file.csv';

  it.each([{ dryRun: false }, { dryRun: true }])('fails where rows are refused, %p', (options) => {
    const io = new TestIo();
    expect(() => printReport(io, report({ refused }), { path, ...options })).toThrow(SilentFailure);
    expect(String(io.stdout.read())).toContain('line 4: inciName: is empty');
  });

  it('does not fail where they may be, or none is refused', () => {
    printReport(new TestIo(), report({ refused }), { path, partial: true });
    printReport(new TestIo(), report(), { path });
  });

  it('prints the answer of the endpoint as JSON', () => {
    const io = new TestIo();
    const faults = [{ column: 'INCI', value: '', reason: 'is empty' }];
    printReport(io, report({ refused: [{ line: 4, faults }] }), {
      path,
      partial: true,
      json: true,
    });
    const { data } = JSON.parse(String(io.stdout.read())) as { data: object };
    expect(data).toMatchObject({ refused: 1, faults: [{ row: 4, ...faults[0] }], refusedRows: null });
  });
});
