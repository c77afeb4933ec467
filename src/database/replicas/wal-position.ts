/**
 * How far something is in what a primary has written (its write-ahead log). A promotion begins a new timeline
 * somewhere in the old one: from there on equal places are of different histories.
 */
export interface WalPosition {
  /** From 1 on. */
  readonly timeline: number;
  /** PostgreSQL's `pg_lsn` as the number of bytes, 64 bits. */
  readonly lsn: bigint;
}

/** As the server gives it: `pg_lsn` as text, and the timeline as hexadecimal digits. */
export interface WalRow {
  readonly lsn: string | null;
  readonly timeline: string | null;
}

const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/;
const TEXT = /^([0-9a-f]{8})([0-9a-f]{16})$/;

/** @throws Error where there is none, as on a server without replication of its log */
export function positionIn({ lsn, timeline }: WalRow): WalPosition {
  const [, high, low] = LSN.exec(lsn ?? '') ?? [];
  if (high === undefined || low === undefined || timeline === null) {
    throw new Error('The server says no position in its log');
  }
  return { timeline: Number.parseInt(timeline, 16), lsn: BigInt(`0x${high}${low.padStart(8, '0')}`) };
}

/** Texts of the same length: a later position is a greater text. */
export const textOf = ({ timeline, lsn }: WalPosition): string =>
  timeline.toString(16).padStart(8, '0') + lsn.toString(16).padStart(16, '0');

/** @returns undefined where the text is none of `textOf` */
export function positionOf(text: string): WalPosition | undefined {
  const [, timeline, lsn] = TEXT.exec(text) ?? [];
  if (timeline === undefined) return undefined;
  return { timeline: Number.parseInt(timeline, 16), lsn: BigInt(`0x${lsn}`) };
}

/**
 * Whether who has replayed the log up to `replayed` has all that was written up to `wanted`. Of a former
 * timeline that is what has come over into the present one: the rest is nowhere any more.
 */
export const holds = (replayed: WalPosition, wanted: WalPosition): boolean =>
  replayed.timeline >= wanted.timeline && replayed.lsn >= wanted.lsn;
