import type { WalRow } from './wal-position';

/** Which database it is, wherever it is copied to: a standby has its primary's identifier. */
const CLUSTER = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS cluster`;

/** What a primary says of itself. */
export interface PrimaryRow extends WalRow {
  readonly cluster: string;
}

/** What a replica says of itself. */
export interface ReplicaRow extends PrimaryRow {
  readonly isStandby: boolean;
}

/**
 * What has been written to the log for good. It is equal to what a standby has replayed while nothing is
 * written, which the place where the next record goes is not: that may be behind the header of a new page.
 */
export const LOOK_AT_PRIMARY = `
  SELECT lsn::text AS lsn, substr(pg_walfile_name(lsn), 1, 8) AS timeline, ${CLUSTER}
  FROM (SELECT pg_current_wal_flush_lsn() AS lsn) log`;

/**
 * The timeline is the last one that the standby has noted on its disk, at most its present one: after a
 * promotion elsewhere it may take until its next restartpoint.
 */
export const LOOK_AT_REPLICA = `
  SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn()::text AS lsn, ${CLUSTER},
         to_hex(greatest((SELECT timeline_id FROM pg_control_checkpoint()),
                         (SELECT min_recovery_end_timeline FROM pg_control_recovery()))) AS timeline`;

/** Where the log is when a write has been acknowledged: that lies before it, waited for to be safe or not. */
export const WRITTEN_POSITION = `
  SELECT lsn::text AS lsn, substr(pg_walfile_name(lsn), 1, 8) AS timeline
  FROM (SELECT pg_current_wal_insert_lsn() AS lsn) log`;
