/** More matched keywords first, then the more similar; without an embedding last; else in their order. */
export function rankCandidates<C extends { readonly id: string; readonly matched: number }>(
  candidates: readonly C[],
  similarities: ReadonlyMap<string, number>,
): C[] {
  const likeness = ({ id }: C): number => similarities.get(id) ?? -Infinity;
  // Sorting is stable: where both are equal, their order stays.
  return [...candidates].sort((a, b) => b.matched - a.matched || compare(likeness(b), likeness(a)));
}

/** Not a difference: of two infinities that is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
