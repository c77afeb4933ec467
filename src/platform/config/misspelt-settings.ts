/** Variables of other programs whose names are similar to a setting. */
const WELL_KNOWN = new Set(['HOME', 'HOSTS', 'META_API_KEY', 'META_BASE_URL', 'PATH']);

/** Variables that Node and libraries read themselves. They may be in `.env` too. */
const READ_BY_LIBRARIES =
  /^(NODE_|PG[A-Z]|UV_|OTEL_|SSL_CERT_)|^(HTTPS?_PROXY|NO_PROXY|ALL_PROXY|NO_COLOR|FORCE_COLOR|TZ)$/i;

/** Names up to this length are short: a single wrong letter makes another word. */
const SHORT = 5;

/**
 * Returns warnings about variables that are not settings: those with a similar name, and all in `.env`. The
 * warnings contain names only, never values.
 * @param names names of the variables that are set
 * @param known names of settings
 * @param inFile names of variables in `.env`
 */
export function misspeltSettings(
  names: readonly string[],
  known: ReadonlySet<string>,
  inFile: readonly string[] = [],
): string[] {
  return [...new Set([...names, ...inFile])].flatMap((name) => {
    if (known.has(name) || WELL_KNOWN.has(name)) return [];
    const meant = closest(name, known);
    if (meant !== undefined) return [`${name} is not a setting; did you mean ${meant}?`];
    return inFile.includes(name) && !READ_BY_LIBRARIES.test(name) ? [`${name} in .env is not a setting`] : [];
  });
}

/** Returns the most similar name with at most two mistakes, one for a short name; ignores case, and `-` for `_`. */
function closest(name: string, known: ReadonlySet<string>): string | undefined {
  const written = name.toUpperCase().replaceAll('-', '_');
  let meant: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const most = candidate.length <= SHORT ? 1 : 2;
    if (Math.abs(candidate.length - written.length) > most) continue;
    const slips = slipsBetween(written, candidate);
    if (slips <= most && slips < least) [meant, least] = [candidate, slips];
  }
  return meant;
}

/** Counts letters that are surplus, missing, wrong, or swapped with the next (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const wrong = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(wrong, last[j]! + 1, row[j - 1]! + 1, isExchanged ? before[j - 2]! + 1 : Infinity));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
