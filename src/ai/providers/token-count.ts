/** Largest value of the audit log's column. */
const MOST_TOKENS = 2_147_483_647;

/** Returns the number of tokens that a provider or gateway reports, or undefined if the value is not a valid number. */
export function tokenCount(value: unknown): number | undefined {
  const isCount = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
  return isCount ? (value as number) : undefined;
}
