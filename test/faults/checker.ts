/** What a client knows of a write: what was not answered clearly may have happened, now or later. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/**
 * One write to a record. `text` is what the record shows of it: its description, or what every line of its
 * composition bears.
 */
export interface Write {
  readonly what: 'create' | 'revise' | 'describe' | 'delete';
  readonly text: string;
  outcome: Outcome;
  /** Of the version that was acknowledged. */
  version?: number;
  /** What was done to the service at that moment, for the report. */
  during?: string;
}

/** A record as it is read. */
export interface Seen {
  readonly description: string | null;
  /** Of a formula. */
  readonly composition?: {
    readonly version: number;
    /** What each line bears. */
    readonly lines: readonly string[];
    /** Of all percentages. */
    readonly sum: number;
  };
}

/** What is wrong with a record, and the write that is to be found and is not. */
export interface Problem {
  readonly record: string;
  readonly text: string;
  readonly lost?: Write;
}

/** Of each formula that is sent. */
export const LINES = 4;

/** Written by one client after the other, or by several at once. */
export class History {
  private readonly writes = new Map<string, Write[]>();

  get records(): IterableIterator<string> {
    return this.writes.keys();
  }

  /** Every write, for counting. */
  get all(): Write[] {
    return [...this.writes.values()].flat();
  }

  /** It is unknown until it is answered; its outcome is then set on it. */
  begin(record: string, what: Write['what'], text: string): Write {
    const write: Write = { what, text, outcome: 'unknown' };
    const writes = this.writes.get(record);
    if (writes) writes.push(write);
    else this.writes.set(record, [write]);
    return write;
  }

  /** What is acknowledged by now, which every read that begins later must show. */
  settled(record: string): ReadonlySet<Write> {
    return new Set(this.of(record).filter(({ outcome }) => outcome === 'acknowledged'));
  }

  /**
   * What is wrong with what was read of a record.
   * @param seen undefined: there is no such record
   * @param settled what was acknowledged before the reading; all that is acknowledged by now, where nobody
   *   has written since
   */
  judge(record: string, seen: Seen | undefined, settled = this.settled(record)): Problem[] {
    const writes = this.of(record).map((write) =>
      write.outcome === 'acknowledged' && !settled.has(write)
        ? { ...write, outcome: 'unknown' as const }
        : write,
    );
    const found = judgeRecord(writes, seen);
    return found.map(({ text, lost }) => ({ record, text, lost }));
  }

  private of(record: string): Write[] {
    return this.writes.get(record) ?? [];
  }
}

type Fault = Omit<Problem, 'record'>;

function judgeRecord(writes: readonly Write[], seen: Seen | undefined): Fault[] {
  const created = writes.find(({ what }) => what === 'create');
  const deletions = writes.filter(({ what, outcome }) => what === 'delete' && outcome !== 'refused');
  if (!seen) {
    const mayBeGone = deletions.length > 0 || created?.outcome !== 'acknowledged';
    return mayBeGone ? [] : [{ text: 'what was acknowledged is not there', lost: created }];
  }
  if (!created) return [{ text: 'nobody has written it' }];
  if (created.outcome === 'refused') return [{ text: 'it was refused and is there' }];
  const deleted = deletions.find(({ outcome }) => outcome === 'acknowledged');
  if (deleted) return [{ text: 'it was deleted and is there', lost: deleted }];
  const described = judgeDescription(writes, created, seen);
  return [...described, ...(seen.composition ? judgeComposition(writes, created, seen.composition) : [])];
}

/** The last one that was acknowledged, or one that may have come after it. */
function judgeDescription(writes: readonly Write[], created: Write, seen: Seen): Fault[] {
  const descriptions = writes.filter(({ what }) => what === 'describe');
  const last = descriptions.findLast(({ outcome }) => outcome === 'acknowledged') ?? created;
  const allowed = [last, ...descriptions.filter(({ outcome }) => outcome === 'unknown')];
  if (allowed.some(({ text }) => text === seen.description)) return [];
  return [{ text: `described “${seen.description}”, not “${last.text}”`, lost: last }];
}

function judgeComposition(
  writes: readonly Write[],
  created: Write,
  { version, lines, sum }: NonNullable<Seen['composition']>,
): Fault[] {
  const [text] = lines;
  const isHalf = lines.length !== LINES || lines.some((line) => line !== text) || Math.abs(sum - 100) > 0.001;
  if (isHalf) return [{ text: `half: ${lines.length} lines (${[...new Set(lines)].join(', ')}), ${sum} %` }];

  const revisions = writes.filter(({ what }) => what === 'revise');
  const acknowledged = revisions.filter(({ outcome }) => outcome === 'acknowledged');
  const unknown = revisions.filter(({ outcome }) => outcome === 'unknown');
  const numbered = new Map([[1, created]]);
  const faults: Fault[] = [];
  for (const revision of acknowledged) {
    const number = revision.version!;
    if (numbered.has(number)) faults.push({ text: `version ${number} was given twice`, lost: revision });
    numbered.set(number, revision);
  }
  const newest = Math.max(...numbered.keys());
  if (version < newest) {
    faults.push({ text: `version ${version}, not ${newest}`, lost: numbered.get(newest) });
  }
  // Each number that nobody was told belongs to a write whose answer was not clear.
  const untold = Array.from({ length: version }, (_, at) => at + 1).filter((number) => !numbered.has(number));
  if (untold.length > unknown.length) {
    faults.push({ text: `gaps: ${untold.length} numbers of ${unknown.length} unknown writes` });
  }
  const shown = numbered.get(version);
  const isKnown = shown ? shown.text === text : unknown.some((revision) => revision.text === text);
  if (!isKnown) faults.push({ text: `version ${version} shows “${text}”`, lost: shown });
  return faults;
}
