/** What a page, a CSV file and a workbook are made of. All three show the same numbers. */
export interface LabDocument {
  readonly title: string;
  /** Name of the file without its extension. */
  readonly fileName: string;
  /** Labels and values above the tables. */
  readonly facts: readonly Fact[];
  /** Labels of places to be filled in by hand, below the facts on the page. */
  readonly handwritten?: readonly string[];
  /** A CSV file has the first table alone. */
  readonly tables: readonly Table[];
  /** Below the tables: what the reader needs to know about them. */
  readonly notes: readonly string[];
}

export type Fact = readonly [label: string, value: Cell];

export interface Table {
  /** Heading on the page, and name of the sheet. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Column {
  readonly title: string;
  /** Numbers stand on the right. */
  readonly isNumeric?: boolean;
  /** Empty boxes to be filled in by hand. */
  readonly isBlank?: boolean;
  /** Left out on the page, where headings say it. */
  readonly isOnlyInFiles?: boolean;
  /** Decimals that every number of the column is shown with on the page and in a workbook. */
  readonly decimals?: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** How the row stands out on the page. Files have no headings: their rows can be sorted and filtered. */
  readonly tone?: 'heading' | 'sum' | 'added' | 'removed' | 'changed' | 'moved';
}

export const withoutHeadings = ({ rows }: Table): Row[] => rows.filter(({ tone }) => tone !== 'heading');

/** A number stays a number in a workbook. Empty where there is none. */
export type Cell = string | number | null;

export const LANGUAGES = ['zh', 'en'] as const;
export type DocumentLanguage = (typeof LANGUAGES)[number];
