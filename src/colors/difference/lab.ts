/**
 * A colour in CIELAB (CIE 1976 L*a*b*). L is the lightness, 0 (black) to 100 (white); a runs from green
 * (negative) to red, b from blue (negative) to yellow. White point D65; one convention (10° observer
 * recommended) for all records of a laboratory. Values are stored and compared unchanged and never converted.
 */
export interface Lab {
  L: number;
  a: number;
  b: number;
}
