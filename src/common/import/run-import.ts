import { batches, type ImportReport, type RefusedRow, type ReplacedRow } from './import-report';

export interface ImportOptions {
  /** Rows that were refused while they were read. */
  refused?: readonly RefusedRow[];
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** Take the other rows although some are refused; otherwise one refused row keeps the whole file out. */
  skipRefused?: boolean;
  onProgress?: (step: 'compared' | 'written', rows: number, of: number) => void;
}

/** What is to be done for some rows of a file. */
export interface ImportPlan<Creation, Change> {
  creations: Creation[];
  changes: Change[];
  unchanged: number;
  refused: RefusedRow[];
}

/** What an import compares its rows with and writes them to. Rows come in batches. */
export interface ImportTarget<Draft, Creation, Change> {
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps others from writing until the transaction ends. */
  lock(): Promise<void>;
  plan(drafts: readonly Draft[]): Promise<ImportPlan<Creation, Change>>;
  insert(creations: readonly Creation[]): Promise<void>;
  update(changes: readonly Change[]): Promise<void>;
}

/** Rows per statement: few round trips, and none so large that the embedded database holds its breath. */
const BATCH = 2000;

type Rows<Draft> = { readonly kept: readonly Draft[]; readonly replaced: ReplacedRow[] };

/**
 * Creates and updates in one transaction.
 * @param rows what `lastOfEachKey` made of the valid rows
 */
export function runImport<Draft, Creation, Change>(
  target: ImportTarget<Draft, Creation, Change>,
  rows: Rows<Draft>,
  options: ImportOptions,
): Promise<ImportReport> {
  return target.transaction(async () => {
    if (!options.dryRun) await target.lock();
    const plan = await planAll(target, rows.kept, options.onProgress);
    const report = reportOf(plan, rows, options);
    if (report.applied) await write(target, plan, options.onProgress);
    return report;
  });
}

function reportOf(
  plan: ImportPlan<unknown, unknown>,
  { kept, replaced }: Rows<unknown>,
  { refused = [], dryRun = false, skipRefused = false }: ImportOptions,
): ImportReport {
  const allRefused = [...refused, ...plan.refused].sort((a, b) => a.line - b.line);
  return {
    rows: kept.length + replaced.length + refused.length,
    created: plan.creations.length,
    updated: plan.changes.length,
    unchanged: plan.unchanged,
    replaced,
    refused: allRefused,
    notes: [],
    applied: !dryRun && (skipRefused || allRefused.length === 0),
  };
}

const emptyPlan = <Creation, Change>(): ImportPlan<Creation, Change> => ({
  creations: [],
  changes: [],
  unchanged: 0,
  refused: [],
});

function addPlan<Creation, Change>(
  whole: ImportPlan<Creation, Change>,
  part: ImportPlan<Creation, Change>,
): void {
  whole.creations.push(...part.creations);
  whole.changes.push(...part.changes);
  whole.refused.push(...part.refused);
  whole.unchanged += part.unchanged;
}

async function planAll<Draft, Creation, Change>(
  target: ImportTarget<Draft, Creation, Change>,
  drafts: readonly Draft[],
  onProgress: ImportOptions['onProgress'],
): Promise<ImportPlan<Creation, Change>> {
  const whole = emptyPlan<Creation, Change>();
  let compared = 0;
  for (const batch of batches(drafts, BATCH)) {
    addPlan(whole, await target.plan(batch));
    onProgress?.('compared', (compared += batch.length), drafts.length);
  }
  return whole;
}

async function write<Draft, Creation, Change>(
  target: ImportTarget<Draft, Creation, Change>,
  { creations, changes }: ImportPlan<Creation, Change>,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  const total = creations.length + changes.length;
  let written = 0;
  for (const batch of batches(creations, BATCH)) {
    await target.insert(batch);
    onProgress?.('written', (written += batch.length), total);
  }
  for (const batch of batches(changes, BATCH)) {
    await target.update(batch);
    onProgress?.('written', (written += batch.length), total);
  }
}
