/** The most that the audit log's column holds. */
const MOST_TOKENS = 2_147_483_647;

/** A number of tokens as a provider or gateway says it; undefined, which is unknown, where that is none. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
  return isCount ? (value as number) : undefined;
}
