/**
 * Which of some things keep their order, so that as few as possible of the others have moved: the increasing
 * subsequence of the largest weight. Of n things it takes n log n steps.
 *
 * @param places where each thing is now, in the order in which they were; all different, from 0 to `size` - 1
 * @param weights of each thing, above 0
 * @returns indexes into `places`
 */
export function keptInOrder(
  places: readonly number[],
  weights: readonly number[],
  size: number,
): ReadonlySet<number> {
  const heaviest = new HeaviestBefore(size);
  const before: (number | undefined)[] = [];
  const weightTo: number[] = [];
  let last: number | undefined;
  places.forEach((place, index) => {
    before[index] = heaviest.before(place);
    weightTo[index] = weights[index]! + (before[index] === undefined ? 0 : weightTo[before[index]]!);
    heaviest.add(place, index, weightTo[index]);
    if (last === undefined || weightTo[index] > weightTo[last]!) last = index;
  });
  const kept = new Set<number>();
  for (let index = last; index !== undefined; index = before[index]) kept.add(index);
  return kept;
}

/** A Fenwick tree: the heaviest subsequence that ends before a place. */
class HeaviestBefore {
  private readonly weights: number[];
  private readonly indexes: (number | undefined)[] = [];

  constructor(private readonly size: number) {
    this.weights = new Array<number>(size + 1).fill(0);
  }

  before(place: number): number | undefined {
    let weight = 0;
    let found: number | undefined;
    for (let node = place; node > 0; node -= node & -node) {
      if (this.weights[node]! <= weight) continue;
      weight = this.weights[node]!;
      found = this.indexes[node];
    }
    return found;
  }

  add(place: number, index: number, weight: number): void {
    for (let node = place + 1; node <= this.size; node += node & -node) {
      if (this.weights[node]! >= weight) continue;
      this.weights[node] = weight;
      this.indexes[node] = index;
    }
  }
}
