/* What the service writes into records where the user has not said it. It is stored, so it has one language. */

/** Why a version was made that was restored. */
export const restoredFrom = (versionNumber: number): string => `恢复自版本 ${versionNumber}`;

/** Ends the name of a copy. */
export const COPY_SUFFIX = '（副本）';
