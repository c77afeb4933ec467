/** Orders by the number of matched keywords, then by similarity. Candidates without an embedding come last. */
export function rankCandidates<C extends { readonly id: string; readonly matched: number }>(
  candidates: readonly C[],
  similarities: ReadonlyMap<string, number>,
): C[] {
  const likeness = ({ id }: C): number => similarities.get(id) ?? -Infinity;
  // Sorting is stable, so equal candidates keep their order.
  return [...candidates].sort((a, b) => b.matched - a.matched || compare(likeness(b), likeness(a)));
}

/** Not a difference: subtracting two infinities gives NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
