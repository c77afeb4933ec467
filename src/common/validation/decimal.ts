const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The number that a text in plain decimal notation means, Infinity where it is beyond what numbers hold;
 * undefined for anything else: `0x10`, ` 1`, `1,000`, `12 kg`.
 */
export const readDecimal = (text: string): number | undefined =>
  DECIMAL.test(text) ? Number(text) : undefined;
