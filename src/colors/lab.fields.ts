import { NumberField } from '../platform/validation/fields';
import { type Lab } from './difference';

/** Limits of the colours in requests and imports, in CIELAB units. */
export const LAB_LIMITS = {
  L: { min: 0, max: 100 },
  a: { min: -10_000, max: 10_000 },
  b: { min: -10_000, max: 10_000 },
};

const CONVENTION = 'CIELAB, D65, 10° observer recommended';

/** Documentation and limits of each coordinate in a query or a body. */
export const LAB_FIELDS = {
  L: { ...LAB_LIMITS.L, description: `Lightness L* from 0 (black) to 100 (white); ${CONVENTION}` },
  a: { ...LAB_LIMITS.a, description: `a*, green (negative) to red (positive); ${CONVENTION}` },
  b: { ...LAB_LIMITS.b, description: `b*, blue (negative) to yellow (positive); ${CONVENTION}` },
};

/** A colour in a request or response. Stored and compared unchanged, never converted. */
export class LabDto implements Lab {
  @NumberField({ ...LAB_FIELDS.L, example: 42.5 })
  L!: number;

  @NumberField({ ...LAB_FIELDS.a, example: 48.2 })
  a!: number;

  @NumberField({ ...LAB_FIELDS.b, example: 21.7 })
  b!: number;
}
