/** SQL: whether a row may be read. @param row the table, or its alias in the statement */
type Condition = (row: string) => string;

/**
 * Which records may be read: all. Every statement that reads a kind of record for somebody has its condition
 * once, so that this is the one place where an access policy's would stand; the texts of statements are
 * fixed when the application starts. What the service reads for itself (its own tasks, the checks of a
 * write) has none.
 *
 * A condition would leave what is counted without looking at the rows (`keptCount`) as it is.
 */
export const readable: Readonly<Record<'formula' | 'project' | 'ingredient' | 'color', Condition>> = {
  formula: () => 'true',
  project: () => 'true',
  ingredient: () => 'true',
  color: () => 'true',
};
