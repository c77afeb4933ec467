/**
 * What an update tells: which fields were sent. Nothing where there was no such record, or nothing to change.
 * @param changes by field; what is undefined stays as it is
 */
export function changedRecord(
  recordId: string,
  changes: object,
  isThere: boolean,
): { recordId: string; data: { changed: string[] } }[] {
  const changed = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  return isThere && changed.length > 0 ? [{ recordId, data: { changed } }] : [];
}

/** The same of a change by an import, in which null stays as it is. */
export function importedChange({ id, ...fields }: { id: string } & Record<string, unknown>): {
  recordId: string;
  data: { changed: string[] };
} {
  const changed = Object.entries(fields).flatMap(([field, value]) => (value === null ? [] : [field]));
  return { recordId: id, data: { changed } };
}
