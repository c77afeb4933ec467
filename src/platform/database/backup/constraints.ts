import type { Query } from './table-catalog';

/**
 * Foreign keys and triggers of the current schema. Foreign keys are checked at the end, so that the order of tables
 * does not matter. The rows already contain the results of triggers.
 */
const CONSTRAINTS = `
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS remove,
         format('ALTER TABLE %s ENABLE %s TRIGGER %I', tgrelid::regclass,
                CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, tgname) AS restore
  FROM pg_trigger JOIN pg_class t ON t.oid = tgrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgenabled <> 'D' AND tgparentid = 0
  UNION ALL
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace`;

/**
 * Removes foreign keys and triggers within a transaction.
 * @returns a function that restores them in the same transaction
 */
export async function removeConstraints(query: Query): Promise<() => Promise<void>> {
  const constraints = await query<{ remove: string; restore: string }>(CONSTRAINTS);
  for (const { remove } of constraints) await query(remove);
  return async () => {
    // A pending deferred check would prevent altering the tables.
    await query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const { restore } of constraints) await query(restore);
  };
}
