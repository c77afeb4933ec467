import { NumberField } from '../../common/validation/fields';
import { type Lab } from '../difference';
import { LAB_LIMITS } from '../lab-limits';

const CONVENTION = 'CIELAB, D65, 10° observer recommended';

export const LAB_TEXTS = {
  L: `Lightness L* from 0 (black) to 100 (white); ${CONVENTION}`,
  a: `a*, green (negative) to red (positive); ${CONVENTION}`,
  b: `b*, blue (negative) to yellow (positive); ${CONVENTION}`,
};

/**
 * A colour in CIELAB (CIE 1976 L*a*b*), white point D65, 10° observer recommended; one convention for all
 * records. Stored and compared as they come, never converted.
 */
export class LabDto implements Lab {
  @NumberField({ ...LAB_LIMITS.L, description: LAB_TEXTS.L, example: 42.5 })
  L!: number;

  @NumberField({ ...LAB_LIMITS.a, description: LAB_TEXTS.a, example: 48.2 })
  a!: number;

  @NumberField({ ...LAB_LIMITS.b, description: LAB_TEXTS.b, example: 21.7 })
  b!: number;
}
