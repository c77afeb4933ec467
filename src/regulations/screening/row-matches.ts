import { saysNano, substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { Limit } from '../limit';
import type { RowMatch, Subject } from './screening-model';

/** The rows that name a substance, each with how it was found. */
export type MatchedRows = ReadonlyMap<Limit, RowMatch>;

const FOOTNOTE = /\s*\(\d{1,2}\)\s*$/;
const CAS_NUMBER = /\d{2,7}-\d{2}-\d/g;

interface NamedRow {
  readonly limit: Limit;
  readonly isNano: boolean;
}

/**
 * Rows by the names and CAS numbers that they list. Names match as a whole, never in part: `Isobutylparaben` is no
 * `paraben`.
 */
export class RowIndex {
  private readonly byName = new Map<string, NamedRow[]>();
  private readonly byNumber = new Map<string, Limit[]>();
  private readonly forms = new Map<Limit, ReadonlySet<boolean>>();

  constructor(limits: readonly Limit[]) {
    for (const limit of limits) {
      const names = limit.inciNames.map((name) => name.replace(FOOTNOTE, ''));
      this.forms.set(limit, new Set(names.map(saysNano)));
      for (const name of names) push(this.byName, substanceKey(name), { limit, isNano: saysNano(name) });
      for (const cell of limit.casNumbers) {
        for (const [number] of cell.matchAll(CAS_NUMBER)) push(this.byNumber, number, limit);
      }
    }
  }

  /** All rows that concern a substance: those of its form, and of other forms where none of its own is listed. */
  match(subject: Subject): MatchedRows {
    const own = new Map<Limit, RowMatch>();
    const otherForm = new Map<Limit, RowMatch>();
    const add = (limit: Limit, isOtherForm: boolean, by: RowMatch['by'], value: string) => {
      // The form that is not nano is in no row that names the nano form alone.
      if (isOtherForm && !subject.isNano) return;
      const found = isOtherForm ? otherForm : own;
      if (!found.has(limit)) found.set(limit, { by, value, isOtherForm });
    };
    for (const { limit, isNano } of this.byName.get(subject.key) ?? []) {
      add(limit, isNano !== subject.isNano, 'inci-name', subject.inciName);
    }
    for (const number of subject.casNumbers) {
      for (const limit of this.byNumber.get(number) ?? []) {
        const forms = this.forms.get(limit)!;
        add(limit, forms.size > 0 && !forms.has(subject.isNano), 'cas-number', number);
      }
    }
    const ownKinds = new Set([...own.keys()].map(({ kind }) => kind));
    for (const [limit, found] of otherForm) {
      if (!own.has(limit) && (limit.kind === 'prohibited' || !ownKinds.has(limit.kind)))
        own.set(limit, found);
    }
    return own;
  }
}

function push<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
