import { type Limit, PRODUCT_TYPES, type ProductType } from '../limit';
import { type Scope, scopeOf } from '../editions/product-scopes';
import type { MatchedRows, RowIndex } from './row-matches';
import type { ScreeningConditions, Subject } from './screening-model';

/** Most comparisons of a substance with a row in one screening. */
export const MAX_COMPARISONS = 100_000;

export class TooManyComparisons extends Error {
  override readonly name = 'TooManyComparisons';
}

/** Determines the rows that concern a substance, and which of them apply to the product of a screening. */
export class LimitScopes {
  private comparisons = 0;
  private readonly scopes = new Map<string, Scope | undefined>();
  private readonly rows: ReadonlyMap<Subject, MatchedRows>;

  constructor(
    readonly conditions: ScreeningConditions,
    readonly subjects: readonly Subject[],
    index: RowIndex,
  ) {
    this.rows = new Map(subjects.map((subject) => [subject, index.match(subject)]));
    this.count([...this.rows.values()].reduce((count, { size }) => count + size, 0));
  }

  /** @throws TooManyComparisons if the formula and the table need more comparisons than allowed */
  count(comparisons: number): void {
    this.comparisons += comparisons;
    if (this.comparisons > MAX_COMPARISONS) throw new TooManyComparisons();
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
