import { Client } from 'pg';

export interface RecordedStatement {
  name?: string;
  text: string;
  values: unknown[];
}

/**
 * The statements that reach the database while `work` runs, with their values, whichever way they take: every
 * one goes through pg's client. The embedding updater and what listens to other instances work on their own
 * time and are not part of the work.
 */
export async function recordStatements(work: () => PromiseLike<unknown>): Promise<RecordedStatement[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls
      .filter((_, at) => !isPolling(query.mock.contexts[at]))
      .map(([statement]) => statement as unknown as RecordedStatement)
      .filter(({ text }) => !SESSION.test(text))
      .filter(({ name }) => !name?.startsWith('embeddings.') && name !== 'runtime-settings.all');
  } finally {
    query.mockRestore();
  }
}

/** What a new connection is asked first: the pool makes one when others are busy. */
const SESSION = /^\s*SELECT pg_backend_pid\(\) AS pid, set_config/;

const isPolling = (client: unknown) =>
  (client as { connectionParameters?: { application_name?: string } }).connectionParameters
    ?.application_name === 'formula-configuration';

/** How many statements reach the database while `work` runs. */
export async function countStatements(work: () => PromiseLike<unknown>): Promise<number> {
  return (await recordStatements(work)).length;
}

interface PlanNode {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

function rowsOf(node: PlanNode): number {
  const perLoop =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0);
  return (node.Plans ?? []).reduce(
    (sum, child) => sum + rowsOf(child),
    perLoop * (node['Actual Loops'] ?? 0),
  );
}

/**
 * How many rows the steps of these statements' plans handle, planned as prepared statements are (for any
 * values). Runs each once more, without effect. The deterministic measure of a statement's work.
 */
export async function rowsTouched(
  runner: { query(text: string, values?: unknown[]): Promise<unknown> },
  statements: readonly RecordedStatement[],
): Promise<number> {
  let touched = 0;
  for (const { text, values } of statements) {
    await runner.query('BEGIN');
    await runner.query('SET LOCAL plan_cache_mode = force_generic_plan');
    const [plan] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)) as {
      'QUERY PLAN': { Plan: PlanNode }[];
    }[];
    await runner.query('ROLLBACK');
    touched += rowsOf(plan!['QUERY PLAN'][0]!.Plan);
  }
  return touched;
}
