import { turns } from '../platform/common/in-turns';
import type { Type } from '@nestjs/common';
import type { RecordKind } from '../platform/access/access-policy';
import type { Message } from '../platform/texts/define-texts';
import { fieldsOf, toInsertValues } from '../platform/validation/field-metadata';
import type { ImportAccess, ImportDraft, ImportRequest } from './file-import';
import type { ImportReport, Reason, RefusedRow, ReplacedRow } from './import-report';
import { both, importText } from './import.texts';
import { fileColumns } from './mapping/file-column';
import { nameKey, plainText } from '../platform/common/name-forms';

/** Rows per statement: few round trips, but no statement that delays other requests noticeably. */
export const BATCH_ROWS = 2000;

/** Rules for the import of a resource. */
export interface ImportRules<Draft extends ImportDraft> {
  /** The resource's class of fields. */
  fields: Type<object>;
  /**
   * The fields that identify a record. The first is compared by its name key or its search text, the others exactly.
   * A field other than the first does not count if the file has no column for it. An import changes these fields
   * only in rows that have the field `distinguishedBy`.
   */
  key: readonly [string, ...string[]];
  /** The columns with the name keys of fields. Fields without one are compared by their search text. */
  nameKeys?: Readonly<Record<string, string>>;
  /** Further fields that an import never changes. */
  fixed?: readonly string[];
  /** Kind of the records, if a policy may restrict which of them a user reads. */
  kind?: RecordKind;
  /** True if records have an owner, `createdBy`. */
  owned?: boolean;
  /** Fields that a row sets; by default those with columns. */
  sets?: readonly string[];
  /** Fields of drafts that are stored outside the record's row. `compareRows` takes their changes from the match. */
  details?: readonly string[];
  /** Returns values for a new record that are derived from its row. */
  suggest?: (draft: Draft) => Record<string, unknown>;
  /** Why a row that matches several records is refused, or one that lacks required fields of a new record. */
  ambiguous: (values: { label: string; count: number; hint: string }) => Message;
  incomplete: (values: { label: string; fields: string | number | Message }) => Message;
  /** Names for missing required fields in the report; by default the field's own. */
  missing?: Readonly<Record<string, Message>>;
  /** A column that distinguishes records with the same key, such as `id`. The importer finds records by it. */
  distinguishedBy?: string;
}

/** A stored row: `id`, and the values of the columns. */
export type ImportRecord = { id: string } & Record<string, unknown>;

/** A record that a row matches. */
export interface ImportMatch extends ImportRecord {
  /** Values by field that the row would change outside the record's row. */
  details?: Record<string, unknown>;
  /** Why the record cannot be changed in this way. The label of the row is added to its values. */
  refusal?: Message;
}

/** The planned changes for rows of a file. */
export interface ImportPlan {
  creations: Record<string, unknown>[];
  /** Values by field, with the `id` of the record. Null leaves the field unchanged. */
  changes: ImportRecord[];
  unchanged: number;
  refused: RefusedRow[];
}

export const emptyPlan = (): ImportPlan => ({ creations: [], changes: [], unchanged: 0, refused: [] });

type Rules = ImportRules<ImportDraft>;

/** Returns the fields that a row sets, including the key. */
export const importedFields = ({
  fields,
  sets,
}: Pick<Rules, 'fields' | 'sets'>): readonly { field: string; trim?: boolean }[] =>
  sets?.map((field) => ({ field })) ?? fileColumns(fields);

/** Returns a text that is the same for all rows of one record. */
export const recordKey = (
  { key: [first, ...others], nameKeys = {} }: Pick<Rules, 'key' | 'nameKeys'>,
  draft: ImportDraft,
): string => {
  const form = first in nameKeys ? nameKey : plainText;
  return JSON.stringify([form(draft[first] as string), ...others.map((field) => draft[field] ?? null)]);
};

/** Returns the row's key for reports: `Glycerin (BASF)`. */
export function labelOf({ key: [first, ...others] }: Pick<Rules, 'key'>, draft: ImportDraft): string {
  const more = others.flatMap((field) => (draft[field] ? [draft[field] as string] : []));
  return [draft[first] as string, ...(more.length > 0 ? [`(${more.join(', ')})`] : [])].join(' ');
}

/**
 * Adds to a plan what rows change. A row without a match is a new record. Rows that match several records, or one
 * that an earlier row matches, or that the user may not write, are refused.
 * @param matches the records with the key of each draft, in the same order
 * @param lines first line by record id, including those of earlier batches
 */
export async function compareRows<Draft extends ImportDraft>(
  plan: ImportPlan,
  drafts: readonly Draft[],
  matches: readonly (readonly ImportMatch[])[],
  rules: ImportRules<Draft>,
  lines: Map<string, number>,
  access?: Pick<ImportAccess, 'refusal'>,
): Promise<void> {
  refuseSecondRows(drafts, matches, lines);
  const turn = turns();
  for (const [index, draft] of drafts.entries()) {
    await turn();
    const found = matches[index] ?? [];
    const row = comparedRow(draft, found, rules);
    const values = 'creation' in row ? row.creation : 'change' in row ? sentValues(row.change) : undefined;
    const objection = values && (await access?.refusal(withoutDetails(values, rules as Rules), found[0]));
    if (objection !== undefined) plan.refused.push({ line: draft.line, faults: [{ reason: objection }] });
    else if ('creation' in row) plan.creations.push(row.creation);
    else if ('change' in row) plan.changes.push(row.change);
    else if ('refusal' in row) {
      const [field] = rules.key;
      const fault = { field, value: draft[field] as string, reason: row.refusal };
      plan.refused.push({ line: draft.line, faults: [fault] });
    } else plan.unchanged++;
  }
}

/** Reports what a plan does, and whether it is to be written. */
export function reportOf(
  { drafts, refused = [], notes = [], dryRun = false, skipRefused = false }: ImportRequest,
  plan: ImportPlan,
  { replaced, notes: further }: { replaced: ReplacedRow[]; notes: readonly Reason[] },
): ImportReport {
  const all = [...refused, ...plan.refused].sort((one, other) => one.line - other.line);
  return {
    rows: drafts.length + refused.length,
    created: plan.creations.length,
    updated: plan.changes.length,
    unchanged: plan.unchanged,
    replaced,
    refused: all,
    notes: [...notes, ...further],
    applied: !dryRun && (skipRefused || all.length === 0),
  };
}

function refuseSecondRows(
  batch: readonly ImportDraft[],
  matches: readonly (readonly ImportMatch[])[],
  lines: Map<string, number>,
): void {
  matches.forEach(([record, ...others], index) => {
    // A row that is refused changes nothing, so that another row may change its record.
    if (!record || record.refusal || others.length > 0) return;
    const earlier = lines.get(record.id);
    if (earlier === undefined) lines.set(record.id, batch[index]!.line);
    else record.refusal = importText('import.same-record', { label: '', line: earlier });
  });
}

type ComparedRow =
  | { creation: Record<string, unknown> }
  | { change: ImportRecord }
  | { refusal: Message }
  | { isUnchanged: true };

function comparedRow<Draft extends ImportDraft>(
  draft: Draft,
  found: readonly ImportMatch[],
  rules: ImportRules<Draft>,
): ComparedRow {
  const label = labelOf(rules, draft);
  const [record] = found;
  if (found.length > 1) {
    return { refusal: rules.ambiguous({ label, count: found.length, hint: hintOf(draft, found, rules) }) };
  }
  if (record?.refusal) {
    return { refusal: { ...record.refusal, values: { ...record.refusal.values, label } } };
  }
  if (record) {
    const change = changeOf(draft, record, rules as Rules);
    return change ? { change } : { isUnchanged: true };
  }
  const { creation, missing } = creationOf(draft, rules);
  return missing.length === 0
    ? { creation }
    : { refusal: rules.incomplete({ label, fields: both(missing) }) };
}

/** Details are not fields of the record. */
const withoutDetails = (values: Record<string, unknown>, { details = [] }: Rules): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !details.includes(field)));

/** Null leaves a field unchanged. */
const sentValues = ({ id: _, ...values }: ImportRecord): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Suggests in English a column that would distinguish the records. The Chinese texts name it themselves. */
function hintOf(
  draft: ImportDraft,
  found: readonly ImportRecord[],
  { key, distinguishedBy }: Pick<Rules, 'key' | 'distinguishedBy'>,
): string {
  const missing = (part: string) =>
    draft[part] === undefined && new Set(found.map((record) => record[part])).size > 1;
  const field = key.find(missing) ?? distinguishedBy;
  return field === undefined ? '' : `: name the ${field} in a column of its own`;
}

function creationOf<Draft extends ImportDraft>(
  draft: Draft,
  { fields, suggest, missing, details = [] }: ImportRules<Draft>,
) {
  const given = Object.entries(draft).filter(([, value]) => value !== undefined);
  const values = { ...suggest?.(draft), ...Object.fromEntries(given) };
  return {
    creation: {
      ...(toInsertValues(fields, values) as Record<string, unknown>),
      ...Object.fromEntries(details.map((field) => [field, draft[field] ?? null])),
    },
    missing: fieldsOf(fields)
      .filter(({ name, presence }) => presence === 'required' && values[name] === undefined)
      .map(({ name }) => missing?.[name] ?? name),
  };
}

function changeOf(draft: ImportDraft, record: ImportMatch, rules: Rules): ImportRecord | undefined {
  const isKnown = rules.distinguishedBy !== undefined && draft[rules.distinguishedBy] !== undefined;
  const key = isKnown ? [] : rules.key;
  const columns = importedFields(rules).filter(
    ({ field }) => ![...key, ...(rules.fixed ?? [])].includes(field),
  );
  const fields = columns.map(({ field, trim = true }): [string, unknown] => {
    const stored = record[field];
    // Cells are read without surrounding white space, so the stored value is compared without it too.
    const comparable = trim && typeof stored === 'string' ? stored.trim() : stored;
    const wanted = draft[field];
    return [field, wanted === undefined || isSame(wanted, comparable) ? null : wanted];
  });
  const details = (rules.details ?? []).map((field): [string, unknown] => [
    field,
    record.details?.[field] ?? null,
  ]);
  const values = [...fields, ...details];
  if (values.every(([, value]) => value === null)) return undefined;
  return { id: record.id, ...Object.fromEntries(values) };
}

/** The order of keys matters, because JSON is shown in the order in which it was sent. */
const isSame = (wanted: unknown, stored: unknown): boolean =>
  wanted === stored || JSON.stringify(wanted) === JSON.stringify(stored);
