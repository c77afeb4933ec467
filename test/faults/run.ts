/*
 * npm run test:faults: what each fault of a process, a database, a network or a clock does to instances
 * behind nginx while clients write and read. Every write that was acknowledged is looked for afterwards. Ends
 * with code 1 when a promise is broken. Everything is on this machine and the run's own.
 *
 *   --instances 1,2,3   how many instances, one run each
 *   --times 3           how often each fault
 *   --only TEXT         only faults whose names have this in them
 *   --minutes 30        in place of that, faults that leave the processes alone, and what their memory does;
 *                       3 at least, and a short run compares instances that are hardly warm
 *   --short             for CI: three instances, each fault once
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster, missingPrograms } from '../cluster/cluster';
import type { Problem } from './checker';
import { FAULTS, STEADY_FAULTS } from './faults';
import { type Limit, limitTable, measureLimits } from './limits';
import { type Growth, LEAST_MINUTES, MemoryWatch } from './memory';
import { countAnswers, countWrites, type FaultRow, faultTable, holds, newRow, NO_FAULT } from './table';
import { WELL_MS, Workload } from './workload';

const ROOT = join(__dirname, '..', '..');
const CLOCK = join(__dirname, 'stepping-clock.cjs');

/** All is well again when it was for so long, in milliseconds: longer than an answer may take. */
const WELL_FOR_MS = WELL_MS + 500;
/** Nobody waits longer for it. */
const OBSERVED_MS = 40_000;
/** Between two faults, in milliseconds: the service is itself. */
const REST_MS = 500;
/** Problems that are shown. */
const SHOWN = 20;

const { values: options } = parseArgs({
  options: {
    instances: { type: 'string' },
    times: { type: 'string' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});

/** With the seconds since the start. */
const tell = (text: string) => process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s  ${text}\n`);

/** Waits until all is well. @returns seconds from now until it was; Infinity where nobody waits longer */
async function recovered(workload: Workload): Promise<number> {
  const since = performance.now();
  for (;;) {
    const now = performance.now();
    const last = Math.max(since, workload.lastIll ?? since);
    if (now - last >= WELL_FOR_MS) return (last - since) / 1000;
    if (now - since > OBSERVED_MS) return Infinity;
    await pause(20);
  }
}

interface Found {
  readonly rows: FaultRow[];
  readonly problems: Problem[];
  limits: Limit[];
  memory?: Growth;
}

/** Faults one after the other on one cluster, while clients go on. */
class Run {
  readonly rows = new Map<string, FaultRow>();
  readonly problems: Problem[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly workload: Workload,
  ) {}

  async suffer(fault: string): Promise<void> {
    const { cluster, workload } = this;
    const row = this.rowOf(fault);
    const scene = { cluster, workload, round: row.times };
    workload.during = fault;
    const afterwards = await FAULTS[fault]!(scene);
    const seconds = await recovered(workload);
    row.times += 1;
    row.recoverySeconds = Math.max(row.recoverySeconds, seconds);
    countAnswers(row, workload.takeBad());
    tell(`${fault}: well after ${seconds.toFixed(1)} s`);
    await this.rest(afterwards);
    for (const [at, instance] of cluster.instances.entries()) {
      if (instance.isRunning) continue;
      this.problems.push({ record: `instance ${at + 1}`, text: `has ended after: ${fault}` });
      tell(instance.output);
      await instance.start();
    }
  }

  /** Nothing is done to the service, or what nobody should notice. */
  async rest(work?: (() => Promise<void>) | void): Promise<void> {
    this.workload.during = NO_FAULT;
    await work?.();
    await pause(REST_MS);
    const row = this.rowOf(NO_FAULT);
    row.times += 1;
    countAnswers(row, this.workload.takeBad());
  }

  private rowOf(fault: string): FaultRow {
    const row = this.rows.get(fault) ?? newRow(this.cluster.instances.length, fault);
    this.rows.set(fault, row);
    return row;
  }
}

/** What the interface does not show: numbers of versions that are not there, and versions without lines. */
async function hiddenProblems(cluster: Cluster): Promise<Problem[]> {
  const ask = (text: string) => cluster.primary.server.query<{ record: string }>(text, 'formula');
  const gaps = await ask(
    `SELECT formula_id AS record FROM formula_versions
      GROUP BY formula_id HAVING max(version_number) <> count(*) OR min(version_number) <> 1`,
  );
  const halves = await ask(
    `SELECT v.formula_id AS record FROM formula_versions v
       LEFT JOIN formula_ingredients i ON i.formula_version_id = v.id
      GROUP BY v.id HAVING count(i.id) <> 4 OR abs(sum(i.percentage) - 100) > 0.001`,
  );
  return [
    ...gaps.map(({ record }) => ({ record, text: 'versions are missing' })),
    ...halves.map(({ record }) => ({ record, text: 'a half version' })),
  ];
}

async function runOn(instances: number, faults: readonly string[]): Promise<Found> {
  const cluster = await Cluster.start({
    instances,
    build: ROOT,
    hasCables: true,
    settings: {
      THROTTLE_LIMIT: '1000000000',
      // As long as nginx may leave out one that is back.
      STOP_DELAY: '2',
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `-r ${CLOCK}`,
    },
  });
  running = cluster;
  const found: Found = { rows: [], problems: [], limits: [] };
  let workload: Workload | undefined;
  try {
    workload = await Workload.start(cluster.url, `faults-${instances}-${Date.now()}`);
    const run = new Run(cluster, workload);
    tell(`${instances} instances`);
    await pause(1000);
    await run.rest();
    if (options.minutes === undefined) {
      const times = Number(options.times ?? (options.short ? 1 : 3));
      for (const fault of faults) for (let time = 0; time < times; time += 1) await run.suffer(fault);
    } else {
      const watch = new MemoryWatch(cluster);
      for (let at = 0; watch.minutes < Number(options.minutes); at += 1) {
        await run.suffer(faults[at % faults.length]!);
      }
      found.memory = watch.end();
    }
    await workload.stop();
    tell('reading everything');
    await workload.verify();
    found.problems.push(...run.problems, ...workload.problems, ...(await hiddenProblems(cluster)));
    found.rows.push(...run.rows.values());
    countWrites(found.rows, workload.history.all, workload.problems);
    if (instances > 1 && !options.only && !options.minutes) {
      tell('limits');
      found.limits = await measureLimits(cluster, ROOT);
    }
    if (found.problems.length > 0) for (const { output } of cluster.instances) tell(output);
    return found;
  } finally {
    await workload?.stop();
    workload?.close();
    tell('ending');
    await cluster.close();
    running = undefined;
  }
}

/** The one that is to be ended when this process is. */
let running: Cluster | undefined;

/** What was tried, and what of it is kept. */
interface Tally {
  tried: number;
  kept: number;
  acknowledged: number;
  lost: number;
  problems: number;
}

/** Shows what was found, and counts it. */
function report(found: Found, tally: Tally): void {
  console.log(faultTable(found.rows));
  if (found.limits.length > 0) console.log(`\n${limitTable(found.limits)}`);
  if (found.memory) console.log(`\n${found.memory.text}`);
  for (const { record, text } of found.problems.slice(0, SHOWN)) console.log(`${record}: ${text}`);
  if (found.problems.length > SHOWN) console.log(`and ${found.problems.length - SHOWN} more problems`);
  console.log('');
  const kept = [
    ...found.rows.map(holds),
    ...found.limits.map((limit) => limit.holds),
    ...(found.memory ? [found.memory.holds] : []),
  ];
  tally.tried += kept.length;
  tally.kept += kept.filter(Boolean).length;
  for (const { acknowledged, lost } of found.rows) {
    tally.acknowledged += acknowledged;
    tally.lost += lost;
  }
  tally.problems += found.problems.length;
}

async function main(): Promise<void> {
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.log(`Left out, nothing was tried: not installed here: ${missing.join(', ')}`);
    process.exitCode = process.env.CI === undefined ? 0 : 1;
    return;
  }
  if (Number(options.minutes ?? LEAST_MINUTES) < LEAST_MINUTES) {
    throw new Error(`--minutes must be ${LEAST_MINUTES} or more`);
  }
  const all = Object.keys(options.minutes === undefined ? FAULTS : STEADY_FAULTS);
  const faults = all.filter((name) => name.includes(options.only));
  const counts = (options.instances ?? (options.short || options.minutes ? '3' : '1,2,3')).split(',');
  const tally: Tally = { tried: 0, kept: 0, acknowledged: 0, lost: 0, problems: 0 };
  for (const count of counts) report(await runOn(Number(count), faults), tally);
  const { tried, kept, acknowledged, lost, problems } = tally;
  console.log(
    `${kept} of ${tried} rows hold; ${acknowledged} writes acknowledged, ${lost} lost; ${problems} problems`,
  );
  if (kept < tried || lost > 0 || problems > 0 || acknowledged === 0) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void (running?.close() ?? Promise.resolve()).then(() => process.exit(1));
  });
}
main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
