import { ApiSchema } from '@nestjs/swagger';
import {
  isVisible,
  NumberField,
  ObjectField,
  REQUIRED,
  TextField,
  UuidField,
} from '../platform/validation/fields';
import { type CieLab } from './difference';
import { FreeJsonField } from '../platform/validation/free-json';
import { IdField, TimestampField } from '../platform/validation/record-fields';

/** Limits of the colours in requests and imports, in CIELAB units. */
export const CIELAB_LIMITS = {
  L: { min: 0, max: 100 },
  a: { min: -10_000, max: 10_000 },
  b: { min: -10_000, max: 10_000 },
};

const CONVENTION = 'CIELAB, D65, 10° observer recommended';

/** Documentation and limits of each coordinate in a query or a body. */
export const CIELAB_FIELDS = {
  L: { ...CIELAB_LIMITS.L, description: `Lightness L* from 0 (black) to 100 (white); ${CONVENTION}` },
  a: { ...CIELAB_LIMITS.a, description: `a*, green (negative) to red (positive); ${CONVENTION}` },
  b: { ...CIELAB_LIMITS.b, description: `b*, blue (negative) to yellow (positive); ${CONVENTION}` },
};

/** A colour in a request or response. Stored and compared unchanged, never converted. */
@ApiSchema({ name: 'LabDto' })
export class CieLabDto implements CieLab {
  @NumberField({ ...CIELAB_FIELDS.L, example: 42.5 })
  L!: number;

  @NumberField({ ...CIELAB_FIELDS.a, example: 48.2 })
  a!: number;

  @NumberField({ ...CIELAB_FIELDS.b, example: 21.7 })
  b!: number;
}

/** Name of a colour formula that is created without one. */
export const DEFAULT_COLOR_NAME = '未命名颜色配方';

/** Maximum length of a name, in requests and imports. */
export const COLOR_NAME_LENGTH = 200;

/** A composition in one of its possible forms: parts by colorant name. */
const COMPOSITION = { 'CI 77491': 2.4, 'CI 77891': 5.1 };

/** A stored colour. Defines every field once, for requests, responses and statements. */
export class ColorFormulaFields {
  @IdField()
  id!: string;

  @TextField({
    max: COLOR_NAME_LENGTH,
    presence: 'optional',
    default: DEFAULT_COLOR_NAME,
    // White space counts as no name. Other invisible characters are refused, because a name was intended.
    rule: (name) => (name.trim() === '' || isVisible(name) ? undefined : REQUIRED),
    description: `Default ${DEFAULT_COLOR_NAME}, also for an empty name`,
    example: '正红唇膏 01',
  })
  name?: string | null;

  @ObjectField({ type: () => CieLabDto, description: 'The colour aimed at' })
  targetLab!: CieLabDto;

  @ObjectField({ type: () => CieLabDto, presence: 'optional', description: 'The colour measured' })
  actualLab?: CieLabDto | null;

  @NumberField({
    min: 0,
    presence: 'optional',
    description:
      'Difference between target and measurement as the laboratory determined it; stored as given, never computed',
    example: 0.8,
  })
  deltaE?: number | null;

  @FreeJsonField({
    description: 'Any JSON, at most 64 KB as text; comes back as it was sent',
    example: COMPOSITION,
  })
  colorantComposition?: unknown;

  @UuidField({ presence: 'optional', description: 'An existing formula', example: null })
  formulaId?: string | null;

  @IdField()
  createdBy!: string;

  @TimestampField()
  createdAt!: string;
}
