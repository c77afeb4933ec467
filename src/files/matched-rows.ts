import { nameKey } from '../platform/common/name-forms';
import type { ImportAccess, ImportDraft } from './file-import';
import {
  addPlan,
  emptyPlan,
  type ImportMatch,
  type ImportPlan,
  type ImportRecord,
  type ImportRules,
  planImport,
} from './import-plan';
import { shortened } from './import-report';

/**
 * Refuses a row if an earlier row refers to the same record with another key.
 * @param lines first line by record id, including those of earlier batches
 */
export function refuseSecondRows(
  batch: readonly ImportDraft[],
  matches: readonly (readonly ImportMatch[])[],
  lines: Map<string, number>,
): void {
  matches.forEach(([record, ...others], index) => {
    if (!record || others.length > 0) return;
    const earlier = lines.get(record.id);
    if (earlier === undefined) lines.set(record.id, batch[index]!.line);
    else record.refusal = `is what line ${earlier} is, too`;
  });
}

/** Plans the import of each row, and refuses rows that the user may not write. */
export async function allowedPlan<Draft extends ImportDraft>(
  drafts: readonly Draft[],
  matches: readonly (readonly ImportMatch[])[],
  rules: ImportRules<Draft>,
  { refusal }: ImportAccess,
): Promise<ImportPlan> {
  const all = emptyPlan();
  for (const [index, draft] of drafts.entries()) {
    const found = matches[index]!;
    const plan = planImport([draft], [found], rules);
    const [values] = plan.creations.length > 0 ? plan.creations : plan.changes.map(sentValues);
    const reason = values && (await refusal(withoutDetails(values, rules), found[0]));
    if (reason === undefined) addPlan(all, plan);
    else all.refused.push({ line: draft.line, reason });
  }
  return all;
}

/** Details are not fields of the record. */
const withoutDetails = (
  values: Record<string, unknown>,
  { details = [] }: Pick<ImportRules<ImportDraft>, 'details'>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !details.includes(field)));

/** Null leaves a field unchanged. */
const sentValues = ({ id: _, ...values }: ImportRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** A row that matches exactly one record. */
export interface MatchedRow<Draft extends ImportDraft = ImportDraft> {
  readonly draft: Draft;
  readonly record: ImportRecord;
}

export const matchedRows = <Draft extends ImportDraft>(
  batch: readonly Draft[],
  matches: readonly (readonly ImportMatch[])[],
): MatchedRow<Draft>[] =>
  batch.flatMap((draft, index) => {
    const [record, ...others] = matches[index]!;
    return record && others.length === 0 ? [{ draft, record }] : [];
  });

/** Collects notes that list the rows that they concern. */
export class RowRemarks {
  private readonly rows = new Map<string, string[]>();

  /** @param row its line, and further words about it */
  add(note: string, row: string): void {
    const rows = this.rows.get(note);
    if (rows) rows.push(row);
    else this.rows.set(note, [row]);
  }

  notes(): string[] {
    return [...this.rows].map(([note, rows]) => `${note}: ${shortened(rows)}`);
  }
}

/**
 * Remarks on rows that match a record by another field, but name it differently.
 * @param field the field of the name
 * @param key the fields that match
 */
export function remarkOnNames(
  matched: readonly MatchedRow[],
  field: string,
  key: readonly string[],
  remarks: RowRemarks,
): void {
  for (const { draft, record } of matched) {
    const [name, stored] = [draft[field], record[field]];
    if (typeof name !== 'string' || typeof stored !== 'string' || nameKey(name) === nameKey(stored)) continue;
    remarks.add(`Found by ${key.join(', ')} under another name`, `${draft.line} "${name}" = "${stored}"`);
  }
}
