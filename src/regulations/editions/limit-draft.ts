import type { Limit } from '../limit';
import type { RefusalCode } from './refusals.words';

/** A row that was read from a table of limits, before it is stored. */
export type LimitDraft = Omit<Limit, 'id' | 'editionId'> & {
  /** Line of the row in the file, as its reader counts. */
  readonly line: number;
};

/** A draft whose scope and sum have not been interpreted. */
export interface RawLimit extends Omit<LimitDraft, 'productTypes' | 'sumGroup'> {
  /** Given by the file itself; absent if it follows from the scope. */
  readonly productTypes?: Limit['productTypes'];
  readonly sumGroup?: string | null;
  /** The description of a sum, in the words of the file. */
  readonly sum: string | null;
}

/** The reason why a row is refused. */
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
    /** The field of the cell; its column may have another name. */
    readonly field?: string,
    readonly value?: string,
  ) {
    super(reason);
  }
}
