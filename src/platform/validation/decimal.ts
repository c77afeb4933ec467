const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a text in plain decimal notation. Returns Infinity for numbers out of range, and undefined for any other
 * text: `0x10`, ` 1`, `1,000`, `12 kg`.
 */
export const readDecimal = (text: string): number | undefined =>
  DECIMAL.test(text) ? Number(text) : undefined;
