import type { Reply } from './local-server';

/** As the vendor's server answers. */
export const gammaAnswer = (output: unknown, total = 40): Reply => ({
  status: 200,
  body: JSON.stringify({ output: JSON.stringify(output), usage: { total } }),
});

/** What a search understands. */
export const KEYWORDS = { keywords: ['cream'], filters: {} };
