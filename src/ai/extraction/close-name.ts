/** Share of common letters (Dice over letter pairs) from which a name counts as a spelling of another. */
const CLOSE = 0.85;

/**
 * Whether two ingredient names are the same but for spelling: case, width, spaces, hyphens, a letter or two. Names whose digits
 * differ are never the same ("Polysorbate 20" and "Polysorbate 60", "PEG-7" and "PEG-70").
 */
export function isSameName(a: string, b: string): boolean {
  const left = plain(a);
  const right = plain(b);
  if (left === '' || right === '') return false;
  if (left === right) return true;
  if (digits(a) !== digits(b)) return false;
  return dice(left, right) >= CLOSE;
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function digits(name: string): string {
  return (name.normalize('NFKC').match(/\d+/g) ?? []).join(' ');
}

function dice(a: string, b: string): number {
  const left = pairs(a);
  const right = pairs(b);
  if (left.length === 0 || right.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of right) {
    const count = counts.get(pair) ?? 0;
    if (count === 0) continue;
    counts.set(pair, count - 1);
    common += 1;
  }
  return (2 * common) / (left.length + right.length);
}

function pairs(text: string): string[] {
  const characters = [...text];
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
