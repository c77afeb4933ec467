import type { ImportTableOptions } from '../mapping/open-import-table';
import type { Reason } from '../import-report';
import type { Table, TableRow } from './table';

export interface TableRequest {
  readonly content: Uint8Array;
  readonly options: ImportTableOptions;
}

/** Messages in this order: the header, the rows in parts, then the end or a fault. */
export type TableMessage =
  | { readonly table: Omit<Table, 'rows'> }
  | { readonly rows: readonly TableRow[] }
  | { readonly isEnd: true }
  /** The file cannot be read. */
  | { readonly fault: Reason };
