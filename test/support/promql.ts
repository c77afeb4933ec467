/** What an expression of PromQL reads. Simple: no `@`, no `offset`, no labels of `group_left`. */
export interface Selection {
  readonly metric: string;
  readonly labels: readonly string[];
}

const WORDS = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool']);

/** The metrics that an expression names, each with the labels it is selected by. */
export function selectionsOf(expression: string): Selection[] {
  // What stands in braces holds texts that look like names; lists of labels and durations are none either.
  const withoutLists = expression.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  const withoutTimes = withoutLists.replace(/\[[^\]]*\]/g, ' ');
  const names = withoutTimes.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{((?:[^"}]|"[^"]*")*)\})?(?!\s*\(|\w)/g);
  return [...names]
    .filter(([, name]) => !WORDS.has(name!))
    .map(([, metric, , inside = '']) => ({
      metric: metric!,
      labels: [...inside.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([, label]) => label!),
    }));
}

/** The labels by which it is grouped. */
export const groupingsOf = (expression: string): string[] =>
  [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list]) =>
    list!.split(',').map((label) => label.trim()),
  );
