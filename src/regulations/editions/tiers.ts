/** `(a) Rinse-off products` of a cell with several: by its letter, with what follows up to the next. */
const LETTER = /(?:^|\n|\s)\(?([a-n])\)\s*/g;

/**
 * The lettered parts of a cell. Undefined for a cell without letters, and for one whose letters are not in order or
 * have text before them.
 */
export function tiersIn(text: string): ReadonlyMap<string, string> | undefined {
  const marks = [...text.matchAll(LETTER)];
  if (marks.length === 0 || text.slice(0, marks[0]!.index).trim() !== '') return undefined;
  const tiers = new Map<string, string>();
  let last = '';
  for (const [at, mark] of marks.entries()) {
    const letter = mark[1]!;
    if (letter <= last) return undefined;
    last = letter;
    const part = text.slice(mark.index + mark[0].length, marks[at + 1]?.index ?? text.length).trim();
    // `(a) and (b) 1 %`
    if (/^(?:and|,|to)?$/.test(part)) return undefined;
    tiers.set(letter, part);
  }
  return tiers;
}
