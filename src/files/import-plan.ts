import type { Type } from '@nestjs/common';
import type { RecordKind } from '../platform/access/access-policy';
import { fieldsOf, toInsertValues } from '../platform/validation/field-metadata';
import type { ImportDraft } from './file-import';
import type { RefusedRow } from './import-report';
import { fileColumns } from './mapping/file-column';
import { nameKey, plainText } from '../platform/common/name-forms';

/** Rules for the import of a resource. */
export interface ImportRules<Draft extends ImportDraft> {
  /** The resource's class of fields. */
  fields: Type<object>;
  /**
   * The fields that identify a record. The first is compared by its name key or its search text, the others exactly. A field other than
   * the first does not count if the file has no column for it. An import changes these fields
   * only in rows that have the field `distinguishedBy`.
   */
  key: readonly [string, ...string[]];
  /** The columns with the name keys of fields. Fields without one are compared by their search text. */
  nameKeys?: Readonly<Record<string, string>>;
  /** Further fields that an import never changes. */
  fixed?: readonly string[];
  /** The name of the records, in the plural: `ingredients`. */
  records: string;
  /** The name of the place where they are stored: `the catalogue`. */
  store: string;
  /** Kind of the records, if a policy may restrict which of them a user reads. */
  kind?: RecordKind;
  /** True if records have an owner, `createdBy`. */
  owned?: boolean;
  /** Fields that a row sets; by default those with columns. */
  sets?: readonly string[];
  /** Fields of `ImportedDetail`, whose values another module stores. */
  details?: readonly string[];
  /** Returns values for a new record that are derived from its row. */
  suggest?: (draft: Draft) => Record<string, unknown>;
  /** Names for missing required fields in the report; by default the field's own. */
  missing?: Readonly<Record<string, string>>;
  /** A column that distinguishes records with the same key, such as `id`. The importer finds records by it. */
  distinguishedBy?: string;
}

/** A stored row: `id`, and the values of the columns. */
export type ImportRecord = { id: string } & Record<string, unknown>;

/** A record that a row matches, with the details that the row would change. */
export interface ImportMatch extends ImportRecord {
  /** Values by field. */
  details?: Record<string, unknown>;
  /** Why the details cannot be changed in this way. */
  refusal?: string;
}

/** The planned changes for some rows of a file. */
export interface ImportPlan {
  creations: Record<string, unknown>[];
  /** Values by field, with the `id` of the record. Null leaves the field unchanged. */
  changes: ImportRecord[];
  unchanged: number;
  refused: RefusedRow[];
}

export const emptyPlan = (): ImportPlan => ({ creations: [], changes: [], unchanged: 0, refused: [] });

/** Adds the plan of further rows. */
export function addPlan(all: ImportPlan, { creations, changes, unchanged, refused }: ImportPlan): void {
  all.creations.push(...creations);
  all.changes.push(...changes);
  all.refused.push(...refused);
  all.unchanged += unchanged;
}

type Rules = ImportRules<ImportDraft>;

/** Returns the fields that a row sets, including the key. */
export const importedFields = ({
  fields,
  sets,
}: Pick<Rules, 'fields' | 'sets'>): readonly { field: string; trim?: boolean }[] =>
  sets?.map((field) => ({ field })) ?? fileColumns(fields);

export const keyOf = (
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
 * Plans the change for each row.
 * @param matches the records with the key of each draft, in the same order
 */
export function planImport<Draft extends ImportDraft>(
  drafts: readonly Draft[],
  matches: readonly (readonly ImportMatch[])[],
  rules: ImportRules<Draft>,
): ImportPlan {
  const plan = emptyPlan();
  drafts.forEach((draft, index) => {
    const found = matches[index] ?? [];
    const [record] = found;
    const [key] = rules.key;
    const refuse = (text: string) => {
      const reason = `${labelOf(rules, draft)} ${text}`;
      plan.refused.push({
        ...{ line: draft.line, reason },
        faults: [{ field: key, value: draft[key] as string, reason }],
      });
    };
    if (found.length > 1)
      refuse(`matches ${found.length} ${rules.records} of ${rules.store}${hint(draft, found, rules)}`);
    else if (record?.refusal) refuse(record.refusal);
    else if (record) {
      const change = changeOf(draft, record, rules as Rules);
      if (change) plan.changes.push(change);
      else plan.unchanged++;
    } else {
      const { creation, missing } = creationOf(draft, rules);
      if (missing.length === 0) plan.creations.push(creation);
      else refuse(`is not in ${rules.store}, and to create it ${missing.join(' and ')} is missing`);
    }
  });
  return plan;
}

/** Suggests a column that would distinguish the records. */
function hint(
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
  const told = Object.entries(draft).filter(([, value]) => value !== undefined);
  const values = { ...suggest?.(draft), ...Object.fromEntries(told) };
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
