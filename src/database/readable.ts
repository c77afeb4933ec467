/** Kinds of records of the service, each with its table. */
export const OWN_KINDS = {
  formula: 'formulas',
  project: 'projects',
  color: 'color_formulas',
  ingredient: 'ingredients',
} as const;

/**
 * SQL: the place in a statement's text where it is said whether a row may be read. Every statement that
 * answers with records of a kind has its condition once. What belongs to a record goes with it (the names in
 * a formula's lines), and what the service reads for itself has no condition (its own tasks, the checks of a
 * write).
 *
 * The statement is run as `ReadAccess.reading` gives it, which puts the condition there; run as it is, it is
 * an error of syntax.
 * @param kind `formula`, or one of an extension's own
 * @param row the table, or its alias in the statement
 */
export const mayRead = (kind: string, row: string): string => `{may read ${kind} ${row}}`;

/** What `mayRead` leaves in a text. */
export const PLACES = /\{may read (\S+) (\S+)\}/g;

type Condition = (row: string) => string;

/** The same by kind. */
export const readable: Readonly<Record<keyof typeof OWN_KINDS, Condition>> = {
  formula: (row) => mayRead('formula', row),
  project: (row) => mayRead('project', row),
  ingredient: (row) => mayRead('ingredient', row),
  color: (row) => mayRead('color', row),
};
