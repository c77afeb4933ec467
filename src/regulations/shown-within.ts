import type { Finding } from './screening/screening-model';

/** Most results of one answer. */
export const MAX_RESULTS = 1000;
/** Most rows and lines that the results of one answer have together. */
export const MAX_DETAILS = 20_000;

/** The worst results, as many as an answer can hold; at least one. */
export function within(findings: readonly Finding[]): readonly Finding[] {
  let details = 0;
  for (const [index, { limits, substances }] of findings.entries()) {
    details += limits.length;
    for (const { subject } of substances) details += 1 + subject.origins.length;
    if (index >= MAX_RESULTS || (details > MAX_DETAILS && index > 0)) return findings.slice(0, index);
  }
  return findings;
}
