import Big, { type BigSource } from 'big.js';

/** Returns the items of each key. Keys and items keep their order. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Returns the items without repetitions, in their order. */
export const distinct = <Item>(items: Iterable<Item>): Item[] => [...new Set(items)];

/** Returns the first item of each key, in their order. */
export const distinctBy = <Item>(items: Iterable<Item>, keyOf: (item: Item) => unknown): Item[] => {
  const first = new Map<unknown, Item>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
};

/** The exact sum of decimals. */
export function sumOf(values: Iterable<BigSource>): Big {
  let sum = new Big(0);
  for (const value of values) sum = sum.plus(value);
  return sum;
}
