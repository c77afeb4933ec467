/** What the version before a migration cannot work with, and how it is named. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bDROP\s+TABLE\b/gi, 'drops a table'],
  [
    /\bALTER\s+TABLE\b[^;`]*?\bDROP\s+(?!CONSTRAINT\b|NOT\s+NULL\b|DEFAULT\b|EXPRESSION\b|IDENTITY\b)/gi,
    'drops a column',
  ],
  [/\bRENAME\s+(?!CONSTRAINT\b)/gi, 'renames a table or column'],
  [
    /\bADD\s+(?!CONSTRAINT\b|CHECK\b|PRIMARY\b|UNIQUE\b|FOREIGN\b)(?![^,;`]*\bDEFAULT\b)[^,;`]*\bNOT\s+NULL\b/gi,
    'adds a column that must have a value and has no default',
  ],
  [/\bSET\s+NOT\s+NULL\b/gi, 'requires a value that it did not'],
  [/\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/gi, 'changes the type of a column'],
];

/**
 * What in a migration's `up` takes away from the version before it, which may still run beside the new one or
 * be put back. What nothing uses any more is taken away by a later release.
 * @param source the file of the migration
 */
export function contractions(source: string): string[] {
  const up = source.slice(source.search(/\basync up\b/), source.search(/\basync down\b/));
  return CONTRACTIONS.flatMap(([pattern, what]) =>
    [...up.matchAll(pattern)].map(([found]) => `${what}: ${found.trim()}`),
  );
}
