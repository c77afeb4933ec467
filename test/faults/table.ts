import type { Problem, Write } from './checker';
import type { BadAnswer } from './workload';

/** What one fault did, all its times together. */
export interface FaultRow {
  readonly instances: number;
  readonly fault: string;
  times: number;
  /** 503 as long as something is away. */
  unavailable: number;
  /** Answers of 500 and above but 503, and requests without an answer. */
  errors: number;
  /** The longest, from the return of what was away; Infinity: it was not seen. */
  recoverySeconds: number;
  /** Writes at that time. */
  acknowledged: number;
  lost: number;
}

/** A promise: seconds from the return of what was away until all is well. */
const RECOVERY_SECONDS = 5;

/** The row of what happens while nothing is done to the service. */
export const NO_FAULT = 'nothing';

export const newRow = (instances: number, fault: string): FaultRow => ({
  instances,
  fault,
  times: 0,
  unavailable: 0,
  errors: 0,
  recoverySeconds: 0,
  acknowledged: 0,
  lost: 0,
});

export function countAnswers(row: FaultRow, bad: readonly BadAnswer[]): void {
  row.unavailable += bad.filter(({ status }) => status === 503).length;
  row.errors += bad.filter(({ status }) => status === 0 || (status >= 500 && status !== 503)).length;
}

/** Adds what became of the writes. */
export function countWrites(
  rows: readonly FaultRow[],
  writes: readonly Write[],
  problems: readonly Problem[],
): void {
  const lost = new Set(problems.flatMap((problem) => problem.lost ?? []));
  for (const row of rows) {
    const own = writes.filter(({ outcome, during }) => outcome === 'acknowledged' && during === row.fault);
    row.acknowledged = own.length;
    row.lost = own.filter((write) => lost.has(write)).length;
  }
}

/** Whether a row keeps what is promised. */
export const holds = ({ fault, unavailable, errors, recoverySeconds, lost }: FaultRow): boolean =>
  lost === 0 &&
  errors === 0 &&
  recoverySeconds <= RECOVERY_SECONDS &&
  (fault !== NO_FAULT || unavailable === 0);

/** In Markdown. */
export function faultTable(rows: readonly FaultRow[]): string {
  const head = [
    ...['instances', 'fault', 'times', 'acknowledged', 'lost', '503', 'other 5xx or none'],
    ...['seconds to recover, at most', 'holds'],
  ];
  const cells = rows.map((row) => [
    ...[row.instances, row.fault, row.times, row.acknowledged, row.lost, row.unavailable, row.errors],
    Number.isFinite(row.recoverySeconds) ? row.recoverySeconds.toFixed(1) : 'never',
    holds(row) ? 'yes' : '**no**',
  ]);
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
