import { hash } from 'node:crypto';
import everydayNames from './everyday-names.json';
import { inTurns } from '../../../platform/common/in-turns';
import { nameKey } from './name-keys';

/** A catalogue record: one ingredient with two names. */
export interface NamedIngredient {
  readonly inciName: string;
  readonly chineseName: string;
  /** Absent if the catalogue has no price, or none by weight. */
  readonly pricePerKg?: number;
}

/** Returns false for a placeholder without letters and digits, which must not connect records. */
const isName = (key: string): boolean => /[\p{L}\p{N}]/u.test(key);

const everyday = new Map<string, readonly string[]>();
for (const names of everydayNames.names) {
  const keys = names.map(nameKey);
  for (const key of keys) everyday.set(key, keys);
}

const familyWords = new Map<string, readonly string[]>();
for (const { names, words } of everydayNames.families) {
  for (const name of names) familyWords.set(nameKey(name), words);
}

/** Returns the names under which the catalogue may list this name, including itself. */
export function writtenNames(name: string): readonly string[] {
  return everyday.get(nameKey(name)) ?? [name];
}

/** Returns the words that identify the members of a family, or undefined if this is not the name of a family. */
export const familyOf = (name: string): readonly string[] | undefined => familyWords.get(nameKey(name));

/**
 * Determines which names belong to one ingredient: the names of one record, everyday synonyms, and
 * names that differ in their spelling only.
 */
export class IngredientNames {
  private readonly records = new Map<string, NamedIngredient[]>();
  private readonly keys = new Map<string, string>();
  private readonly others = new Map<string, ReadonlySet<string>>();

  constructor(records: Iterable<NamedIngredient> = []) {
    for (const record of records) this.add(record);
  }

  /**
   * Adds the records in steps, because there may be thousands.
   * @param wanted names that will be looked up; their keys are computed in the same steps
   */
  static async of(records: Iterable<NamedIngredient>, wanted: Iterable<string>): Promise<IngredientNames> {
    const names = new IngredientNames();
    await inTurns(records, (record) => names.add(record));
    await inTurns(wanted, (name) => names.keyOf(name));
    return names;
  }

  /** Returns a hash of the records. Only users who read the same records may share results that depend on them. */
  digest(): string {
    const records = new Set([...this.records.values()].flat());
    const rows = [...records].map(({ inciName, chineseName, pricePerKg }) =>
      JSON.stringify([inciName, chineseName, pricePerKg]),
    );
    return hash('sha256', rows.sort().join('\n'));
  }

  keyOf(name: string): string {
    let key = this.keys.get(name);
    if (key === undefined) this.keys.set(name, (key = nameKey(name)));
    return key;
  }

  /** Returns the keys of all names of the ingredient with this name, its own key first. */
  namesOf(name: string): ReadonlySet<string> {
    const key = this.keyOf(name);
    let names = this.others.get(key);
    if (!names) this.others.set(key, (names = this.findNames(key)));
    return names;
  }

  /** Returns true if the catalogue or the list of everyday names contains the name. */
  isKnown(name: string): boolean {
    const key = this.keyOf(name);
    return everyday.has(key) || this.records.has(key);
  }

  /**
   * Returns the price per kilogram, or undefined if no record has one. If several records of this name
   * have a price, returns the highest, so that a cost limit is not exceeded unnoticed.
   */
  pricePerKg(name: string): number | undefined {
    const key = this.keyOf(name);
    return this.highest([key]) ?? this.highest(everyday.get(key) ?? []);
  }

  private add(record: NamedIngredient): void {
    for (const key of new Set([this.keyOf(record.inciName), this.keyOf(record.chineseName)])) {
      if (!isName(key)) continue;
      const named = this.records.get(key);
      if (named) named.push(record);
      else this.records.set(key, [record]);
    }
  }

  private highest(keys: readonly string[]): number | undefined {
    const prices = keys
      .flatMap((key) => this.records.get(key) ?? [])
      .flatMap(({ pricePerKg }) => pricePerKg ?? []);
    return prices.length > 0 ? Math.max(...prices) : undefined;
  }

  private findNames(key: string): ReadonlySet<string> {
    const names = new Set([key]);
    for (const written of everyday.get(key) ?? [key]) {
      names.add(written);
      for (const { inciName, chineseName } of this.records.get(written) ?? []) {
        for (const name of [inciName, chineseName].map((text) => this.keyOf(text))) {
          if (!isName(name)) continue;
          names.add(name);
          for (const other of everyday.get(name) ?? []) names.add(other);
        }
      }
    }
    return names;
  }
}
