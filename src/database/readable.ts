/** SQL: whether a row may be read. @param row the table, or its alias in the statement */
type Condition = (row: string) => string;

const ALL: Condition = () => 'true';

/** In brackets, because others stand beside it. */
const bracketed =
  (condition: Condition): Condition =>
  (row) =>
    `(${condition(row)})`;

/**
 * Which records may be read: all. Every statement that answers with records of a kind has its condition once,
 * so that this is where an access policy's would stand. What belongs to a record goes with it (the names in a
 * formula's lines), and what the service reads for itself has no condition (its own tasks, the checks of a
 * write).
 *
 * Texts of statements are fixed when the application starts, and nothing of the caller is bound to them yet.
 * Kept numbers of records (`keptCount`), and pages found by them, know of no condition.
 */
export const readable: Readonly<Record<'formula' | 'project' | 'ingredient' | 'color', Condition>> = {
  formula: bracketed(ALL),
  project: bracketed(ALL),
  ingredient: bracketed(ALL),
  color: bracketed(ALL),
};
