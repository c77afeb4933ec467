/** Kinds of programs that open a data directory. */
export const OWNERS = ['service', 'command'] as const;
export type Owner = (typeof OWNERS)[number];

/** Another process has the directory open. Two at once would destroy the data. */
export class EmbeddedDatabaseInUseError extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number | undefined,
    owner?: Owner,
  ) {
    const who = `${owner ? `a ${owner}` : 'another process'}${pid === undefined ? '' : ` (process ${pid})`}`;
    const stop = pid === undefined ? '' : `kill ${pid}, `;
    const remedy =
      owner === 'command' ? 'Wait until it ends.' : `Stop it first (${stop}systemctl stop or docker stop).`;
    super(`The data directory ${directory} is in use by ${who}. ${remedy}`);
    this.name = 'EmbeddedDatabaseInUseError';
  }
}

/** Messages of PostgreSQL, and their meaning for the operator. */
const CAUSES: readonly [RegExp, string][] = [
  [/ENOSPC|No space left on device|disk quota exceeded/i, 'the disk is full'],
  [
    /could not locate a valid checkpoint record/,
    'its write-ahead log is damaged; restore the data directory from a copy',
  ],
];

/** Returns the reason, with an explanation for the operator if there is one. */
function explained(reason: string, log: readonly string[]): string {
  const known = CAUSES.find(([pattern]) => [reason, ...log].some((line) => pattern.test(line)));
  return known ? `${known[1]} (${reason})` : reason;
}

/** The embedded database cannot be started on this directory. */
export class EmbeddedDatabaseStartError extends Error {
  /** While the service runs, this counts as an unreachable database. */
  readonly code = 'ECONNREFUSED';

  constructor(
    reason: string,
    /** The last lines of PostgreSQL's own log. */
    readonly log: string[] = [],
  ) {
    super([`The embedded database did not start: ${explained(reason, log)}`, ...log].join('\n  '));
    this.name = 'EmbeddedDatabaseStartError';
  }
}

/** The embedded database has died while in use. All acknowledged writes are on disk. */
export class EmbeddedDatabaseCrashedError extends Error {
  readonly code = 'ECONNRESET';

  constructor(
    reason: string,
    /** The last lines of PostgreSQL's own log. */
    readonly log: string[] = [],
  ) {
    super([`The embedded database has crashed: ${explained(reason, log)}`, ...log].join('\n  '));
    this.name = 'EmbeddedDatabaseCrashedError';
  }
}

/** The application has closed the embedded database. */
export class EmbeddedDatabaseClosedError extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The embedded database is closed');
    this.name = 'EmbeddedDatabaseClosedError';
  }
}
