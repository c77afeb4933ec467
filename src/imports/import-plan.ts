import type { Type } from '@nestjs/common';
import type { RecordKind } from '../access/access-policy';
import { fieldsOf, toInsertValues } from '../common/validation/field-metadata';
import type { ImportDraft } from './file-import';
import type { RefusedRow } from './import-report';
import { fileColumns } from './mapping/file-column';
import { nameKey } from './mapping/names';

/** What an import of a resource goes by. */
export interface ImportRules<Draft extends ImportDraft> {
  /** The resource's class of fields. */
  fields: Type<object>;
  /**
   * The fields that make two rows, or a row and a record, the same: the first as `nameKey` says, the others
   * exactly. Where a file has no column for one of the others, it does not count. An import never changes
   * them.
   */
  key: readonly [string, ...string[]];
  /** Further fields that an import never changes. */
  fixed?: readonly string[];
  /** The records, in the plural: `ingredients`. */
  records: string;
  /** What they are in: `the catalogue`. */
  store: string;
  /** The kind of the records, where a policy may say which of them each user reads. */
  kind?: RecordKind;
  /** Whether records have an owner, `createdBy`. */
  owned?: boolean;
  /** What a row sets, where not the columns of the fields. */
  sets?: readonly string[];
  /** Fields whose values another module stores: those of `ImportedDetail`. */
  details?: readonly string[];
  /** Values for a new record that its row does not have as such. */
  suggest?: (draft: Draft) => Record<string, unknown>;
  /** What the report calls a required field that is missing, where not by its name. */
  missing?: Readonly<Record<string, string>>;
}

/** A stored row: `id`, and the values of the columns. */
export type ImportRecord = { id: string } & Record<string, unknown>;

/** A record that a row matches, with the details that the row would change. */
export interface ImportMatch extends ImportRecord {
  /** By field. */
  details?: Record<string, unknown>;
  /** Why the details cannot be changed so. */
  refusal?: string;
}

/** What is to be done for some rows of a file. */
export interface ImportPlan {
  creations: Record<string, unknown>[];
  /** By field, with the `id` of the record. Null: the field stays as it is. */
  changes: ImportRecord[];
  unchanged: number;
  refused: RefusedRow[];
}

export const emptyPlan = (): ImportPlan => ({ creations: [], changes: [], unchanged: 0, refused: [] });

/** Adds what is to be done for further rows. */
export function addPlan(all: ImportPlan, { creations, changes, unchanged, refused }: ImportPlan): void {
  all.creations.push(...creations);
  all.changes.push(...changes);
  all.refused.push(...refused);
  all.unchanged += unchanged;
}

type Rules = ImportRules<ImportDraft>;

/** The fields that a row sets, the key among them. */
export const importedFields = ({
  fields,
  sets,
}: Pick<Rules, 'fields' | 'sets'>): readonly { field: string; trim?: boolean }[] =>
  sets?.map((field) => ({ field })) ?? fileColumns(fields);

export const keyOf = ({ key: [first, ...others] }: Pick<Rules, 'key'>, draft: ImportDraft): string =>
  JSON.stringify([nameKey(draft[first] as string), ...others.map((field) => draft[field] ?? null)]);

/** The row's key as the report names it: `Glycerin (BASF)`. */
export function labelOf({ key: [first, ...others] }: Pick<Rules, 'key'>, draft: ImportDraft): string {
  const more = others.flatMap((field) => (draft[field] ? [draft[field] as string] : []));
  return [draft[first] as string, ...(more.length > 0 ? [`(${more.join(', ')})`] : [])].join(' ');
}

/**
 * What is to be done for each row, by the records that have its key.
 * @param matches for each draft, in the same order
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
    const refuse = (reason: string) =>
      plan.refused.push({ line: draft.line, reason: `${labelOf(rules, draft)} ${reason}` });
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

/** What would tell the records apart. */
function hint(draft: ImportDraft, found: readonly ImportRecord[], { key }: Pick<Rules, 'key'>): string {
  const field = key.find(
    (part) => draft[part] === undefined && new Set(found.map((record) => record[part])).size > 1,
  );
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
  const columns = importedFields(rules).filter(
    ({ field }) => ![...rules.key, ...(rules.fixed ?? [])].includes(field),
  );
  const fields = columns.map(({ field, trim = true }): [string, unknown] => {
    const stored = record[field];
    // Cells are read without surrounding white space; a record that has some is not different for it.
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

/** The order of keys counts: JSON is shown in the order in which it came. */
const isSame = (wanted: unknown, stored: unknown): boolean =>
  wanted === stored || JSON.stringify(wanted) === JSON.stringify(stored);
