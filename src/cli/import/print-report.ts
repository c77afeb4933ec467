import { basename } from 'node:path';
import { importAnswer, type ImportReport, reasonOf, renderReason } from '../../files/import-report';
import { type CliIo, number, SilentFailure } from '../cli-io';

/** Formats the report as lines of text. */
export function reportLines(report: ImportReport, path: string, dryRun: boolean): string[] {
  const { rows, created, updated, unchanged, replaced, refused, notes, applied } = report;
  const counts: [string, number][] = [
    ['created', created],
    ['updated', updated],
    ['unchanged', unchanged],
    ['replaced by a later row', replaced.length],
    ['refused', refused.length],
  ];
  const width = Math.max(...counts.map(([, count]) => number(count).length));
  return [
    `${basename(path)}, ${number(rows)} rows: ${outcome(applied, dryRun)}`,
    ...counts.map(([label, count]) => `  ${number(count).padStart(width)}  ${label}`),
    ...section('Replaced, because a later row is the same record:', replaced, ({ line, replacedBy, key }) =>
      [`line ${line}`, `${key} (line ${replacedBy} counts)`].join(': '),
    ),
    ...section('Refused:', refused, (row) => `line ${row.line}: ${reasonOf(row, 'en')}`),
    ...section('Notes:', notes, (note) => renderReason(note, 'en')),
  ];
}

function outcome(applied: boolean, dryRun: boolean): string {
  if (applied) return 'imported';
  return dryRun
    ? 'dry run, nothing was changed; an import would do this'
    : 'nothing was changed, because rows are refused (--partial imports the others)';
}

function section<Item>(title: string, items: readonly Item[], text: (item: Item) => string): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${text(item)}`)];
}

/**
 * Prints the report.
 * @throws SilentFailure if rows are refused and therefore nothing was, or would be, imported
 */
export function printReport(
  io: CliIo,
  report: ImportReport,
  { path, dryRun = false, partial = false, json = false, columnOf }: PrintOptions,
): void {
  if (json) {
    const answer = importAnswer(report, 'en', columnOf);
    io.print(JSON.stringify({ data: { ...answer, refusedRows: null } }, null, 2));
  } else reportLines(report, path, dryRun).forEach((line) => io.print(line));
  if (report.refused.length > 0 && !partial) throw new SilentFailure();
}

interface PrintOptions {
  path: string;
  dryRun?: boolean;
  partial?: boolean;
  json?: boolean;
  /** Returns the name of the column that a field is read from. */
  columnOf?: (field: string) => string | undefined;
}
