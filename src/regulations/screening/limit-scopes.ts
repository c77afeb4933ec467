import { ConflictError } from '../../platform/common/errors/service-error';
import { inTurns } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import { saysNano, substanceKey } from '../../ingredients/raw-materials/substance-names';
import { type Limit } from '../editions/limit.entity';
import { PRODUCT_TYPES, type ProductType } from '../../formulas/product-types';
import type { MissingInformation } from './screening.dto';
import type { RowMatch, ScreeningConditions, Subject } from './screening-model';
import { type Scope, scopeOf } from '../editions/product-scopes';

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

  static async of(limits: readonly Limit[]): Promise<RowIndex> {
    const index = new RowIndex();
    await inTurns(limits, (limit) => index.add(limit));
    return index;
  }

  private add(limit: Limit): void {
    const names = limit.inciNames.map((name) => name.replace(FOOTNOTE, ''));
    this.forms.set(limit, new Set(names.map(saysNano)));
    for (const name of names) push(this.byName, substanceKey(name), { limit, isNano: saysNano(name) });
    for (const cell of limit.casNumbers) {
      for (const [number] of cell.matchAll(CAS_NUMBER)) push(this.byNumber, number, limit);
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

/** Most comparisons of a substance with a row in one screening. */
export const MAX_COMPARISONS = 100_000;

/** Determines the rows that concern a substance, and which of them apply to the product of a screening. */
export class LimitScopes {
  private comparisons = 0;
  private readonly scopes = new Map<string, Scope | undefined>();

  constructor(
    readonly conditions: ScreeningConditions,
    readonly subjects: readonly Subject[],
    private readonly rows: ReadonlyMap<Subject, MatchedRows>,
  ) {
    this.count([...rows.values()].reduce((count, { size }) => count + size, 0));
  }

  /** @throws ConflictError if the formula and the table need more comparisons than allowed */
  count(comparisons: number): void {
    this.comparisons += comparisons;
    if (this.comparisons > MAX_COMPARISONS) {
      throw new ConflictError(text('screening.too-many-comparisons', { max: MAX_COMPARISONS }));
    }
  }

  /** Returns what is missing to know if a row applies: the product type, or the meaning of the row's own words. */
  get missing(): MissingInformation[] {
    return [this.conditions.productType === undefined ? 'product-type' : 'scope'];
  }

  rowsOf(subject: Subject): MatchedRows {
    return this.rows.get(subject)!;
  }

  /**
   * Determines if a row applies to the product type and the purpose. Without a product type, only rows for all
   * products do. A row without a purpose, or a prohibition, applies to all purposes.
   */
  of({ kind, scope, productTypes, purpose }: Limit): 'this-use' | 'other-uses' | 'unknown' {
    const { purpose: wanted } = this.conditions;
    const isForPurpose = kind === 'prohibited' || purpose === null || wanted === undefined;
    if (!isForPurpose && plain(purpose) !== plain(wanted)) return 'other-uses';
    const { productType } = this.conditions;
    if (productTypes === null && scope === null) return kind === 'prohibited' ? 'this-use' : 'unknown';
    if (productTypes === null)
      return productType === undefined ? 'unknown' : this.ofPart(scope!, productType);
    if (productType !== undefined) return productTypes.includes(productType) ? 'this-use' : 'other-uses';
    return PRODUCT_TYPES.every((type) => productTypes.includes(type)) ? 'this-use' : 'unknown';
  }

  /** Words that mean some products of a few types do not decide about those types, but exclude all others. */
  private ofPart(words: string, productType: ProductType): 'this-use' | 'other-uses' | 'unknown' {
    if (!this.scopes.has(words)) this.scopes.set(words, scopeOf(words));
    const scope = this.scopes.get(words);
    if (!scope || !('within' in scope)) return 'unknown';
    if (scope.surely?.includes(productType)) return 'this-use';
    return scope.within.includes(productType) ? 'unknown' : 'other-uses';
  }
}

/** `UV filter` and `uv-filter` are equal. */
export const plain = (purpose: string): string =>
  purpose
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
