/*
 * Colour difference and the search for the nearest of many colours: pure mathematics, which knows nothing of
 * the service around it. Everything else imports this file only; docs/colour.md has the arguments.
 */
export type { Candidate, Ranked } from './best-of';
export { ciede2000, euclideanDifference } from './color-difference';
export type { Lab } from './lab';
export { cellNumber, type CellRange } from './lab-cells';
export { type CandidateSource, NearestColors, type RangeContent, rankByCiede2000 } from './nearest-search';
