/** Limits of every colour that comes in, in CIELAB units. */
export const LAB_LIMITS = {
  L: { min: 0, max: 100 },
  a: { min: -10_000, max: 10_000 },
  b: { min: -10_000, max: 10_000 },
};
