import { displayable, formatHex, type Lab65, toGamut } from 'culori';

/** CIELAB, D65. */
export interface LabColor {
  readonly L: number;
  readonly a: number;
  readonly b: number;
}

/** A colour as a screen shows it. */
export interface Swatch {
  /** sRGB, `#rrggbb`. */
  readonly hex: string;
  /** False where sRGB does not have the colour; `hex` is then the nearest by chroma (CSS Color 4 gamut mapping). */
  readonly isExact: boolean;
}

const intoScreen = toGamut('rgb', 'oklch');

export function swatchOf({ L, a, b }: LabColor): Swatch {
  const color: Lab65 = { mode: 'lab65', l: L, a, b };
  return { hex: formatHex(intoScreen(color)), isExact: displayable(color) };
}
