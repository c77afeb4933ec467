/*
 * Colour differences and the search for the nearest of many colours. This code is pure mathematics and does
 * not depend on the service. Other code imports this file only. docs/colour.md contains the arguments.
 */
export type { PlacedColor, Ranked } from './best-of';
export { type CieLab, ciede2000, euclideanDifference } from './color-difference';

export { cellNumber, type CellRange } from './cie-lab-cells';
export { type ColorSource, NearestColors, type RangeContent, rankByCiede2000 } from './nearest-search';
