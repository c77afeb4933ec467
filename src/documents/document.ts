/** The content of a page, a CSV file or a workbook. All three show the same numbers. */
export interface LabDocument {
  readonly title: string;
  /** Name of the file without its extension. */
  readonly fileName: string;
  /** What the reader wants first, large on the page. */
  readonly lead?: Fact;
  /** Labels and values above the tables. */
  readonly facts: readonly Fact[];
  /** Colours, each with a label, below the facts on the page. */
  readonly swatches?: readonly { readonly label: string; readonly hex: string }[];
  /** Labels of places to be filled in by hand, below the facts on the page. */
  readonly handwritten?: readonly string[];
  /** The first is the one that a program reads from a CSV file. */
  readonly tables: readonly Table[];
  /** Below the tables: what the reader needs to know about them. */
  readonly notes: readonly string[];
  /** An import takes the CSV file back, so that it has the first table alone. */
  readonly isTakenBack?: boolean;
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
  /** Cells are colours, `#rrggbb`. */
  readonly isSwatch?: boolean;
  /** Empty boxes to be filled in by hand. */
  readonly isBlank?: boolean;
  /** Leaves the column out of the page or of files: a page has headings and less width. */
  readonly only?: 'page' | 'files';
  /** Decimals that every number of the column is shown with on the page and in a workbook. */
  readonly decimals?: number;
}

/** A column with its cell for each record. */
export interface FilledColumn<Item> extends Column {
  readonly cell: (item: Item) => Cell;
  /** Its cell below all records. */
  readonly sum?: Cell;
}

/** A table with a row for each record. */
export const tableOf = <Item>(
  title: string,
  columns: readonly FilledColumn<Item>[],
  items: readonly Item[],
  toneOf?: (item: Item) => Row['tone'],
): Table => ({
  ...{ title, columns },
  rows: items.map((item) => ({ tone: toneOf?.(item), ...rowOf(columns, item) })),
});

export const hasRows = ({ rows }: Table): boolean => rows.length > 0;

export const rowOf = <Item>(columns: readonly FilledColumn<Item>[], item: Item): Row => ({
  cells: columns.map(({ cell }) => cell(item)),
});

export const sumRow = (columns: readonly Pick<FilledColumn<never>, 'sum'>[]): Row => ({
  tone: 'sum',
  cells: columns.map(({ sum = null }) => sum),
});

export interface Row {
  readonly cells: readonly Cell[];
  /** How the row stands out on the page. */
  readonly tone?: 'heading' | 'sum' | 'added' | 'removed' | 'changed' | 'moved';
}

/** The facts and notes as the last table of a file. */
export const aboutTable = ({ title, lead, facts, notes }: LabDocument): Table => ({
  title,
  columns: [{ title }, { title: '' }],
  rows: [...(lead ? [lead] : []), ...facts, ...notes.map((note) => [note])].map((cells) => ({ cells })),
});

/** The table as files have it, without headings between the rows: they can be sorted and filtered. */
export function inFiles({ title, columns, rows }: Table): Table {
  const isInFiles = columns.map(({ only }) => only !== 'page');
  return {
    title,
    columns: columns.filter((_, at) => isInFiles[at]),
    rows: rows
      .filter(({ tone }) => tone !== 'heading')
      .map(({ cells }) => ({ cells: cells.filter((_, at) => isInFiles[at] ?? true) })),
  };
}

/** A number stays a number in a workbook. Empty where there is none. */
export type Cell = string | number | null;

export const LANGUAGES = ['zh', 'en'] as const;
export type DocumentLanguage = (typeof LANGUAGES)[number];
