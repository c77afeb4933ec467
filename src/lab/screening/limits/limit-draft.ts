import type { Limit } from '../limit';
import type { RefusalCode } from './refusals.words';

/** A row of a table of limits that was read, before it has a place in the database. */
export type LimitDraft = Omit<Limit, 'id' | 'editionId'> & {
  /** Where it was read from, counted as the file's reader counts. */
  readonly line: number;
};

/** A draft whose scope and sum are still words. */
export interface RawLimit extends Omit<LimitDraft, 'productTypes' | 'sumGroup'> {
  /** Given by the file itself; absent where the scope says it. */
  readonly productTypes?: Limit['productTypes'];
  readonly sumGroup?: string | null;
  /** What is added together, in the words of the file. */
  readonly sum: string | null;
}

/** Why a row is not taken. */
export interface Refusal {
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly reason: RefusalCode;
}

/** Thrown while a row is read. */
export class RefusedCell extends Error {
  override readonly name = 'RefusedCell';

  constructor(
    readonly reason: RefusalCode,
    /** The field whose cell it is; its column may have another name. */
    readonly field?: string,
    readonly value?: string,
  ) {
    super(reason);
  }
}
