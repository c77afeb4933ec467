const MOST_NAMED = 10;

/** A list of which the first ten are named. */
export function shortened(items: readonly (string | number)[], separator = ', '): string {
  const named = items.slice(0, MOST_NAMED).join(separator);
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}
