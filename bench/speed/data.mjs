/** How much the seeder loads: `BENCH_SCALE=small` is one laboratory, `BENCH_SCALE=10` ten times the usual. */
export const scale = process.env.BENCH_SCALE ?? '1';
const records =
  scale === 'small'
    ? { ingredients: 2_000, formulas: 4_000, colors: 4_000 }
    : { ingredients: 20_000, formulas: 50_000 * Number(scale), colors: 100_000 };
export const sizes = { ...records, versions: 2, phases: 3, linesPerPhase: 4 };

/** Ids are derived, so that load generators can name any record without asking for it. */
export const id = (kind, number) => `md5('${kind}-' || ${number})::uuid`;

export const USER = {
  id: '00000000-0000-4000-8000-0000000000aa',
  username: 'bench',
  password: 'bench-secret',
};
export const JWT_SECRET = 'bench-secret-of-no-consequence-at-all';
