/** How much the seeder loads; `BENCH_SCALE=10` is the larger size of the growth comparison. */
export const scale = Number(process.env.BENCH_SCALE ?? 1);
export const sizes = {
  ingredients: 20_000,
  formulas: 50_000 * scale,
  versions: 2,
  phases: 3,
  linesPerPhase: 4,
  colors: 100_000,
};

/** Ids are derived, so that load generators can name any record without asking for it. */
export const id = (kind, number) => `md5('${kind}-' || ${number})::uuid`;

export const USER = {
  id: '00000000-0000-4000-8000-0000000000aa',
  username: 'bench',
  password: 'bench-secret',
};
export const JWT_SECRET = 'bench-secret-of-no-consequence-at-all';
