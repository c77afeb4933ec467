import { NumberField, ObjectField, TextField, UuidField } from '../../common/validation/fields';
import { QueryIntegerField, QueryNumberField } from '../../common/validation/query-fields';
import { FreeJsonField } from '../../common/validation/free-json';
import { COLOR_NAME_LENGTH, DEFAULT_COLOR_NAME } from '../color-formula-limits';
import { LAB_LIMITS } from '../lab-limits';
import { LAB_TEXTS, LabDto } from './lab.dto';

/** Colorant name to parts: one way to write a composition. */
export const COMPOSITION = { 'CI 77491': 2.4, 'CI 77891': 5.1 };

export class CreateColorFormulaDto {
  @TextField({
    max: COLOR_NAME_LENGTH,
    presence: 'optional',
    description: `Default ${DEFAULT_COLOR_NAME}, also for an empty name`,
    example: '正红唇膏 01',
  })
  name?: string | null;

  @ObjectField({ type: () => LabDto, description: 'The colour aimed at' })
  targetLab!: LabDto;

  @ObjectField({ type: () => LabDto, presence: 'optional', description: 'The colour measured' })
  actualLab?: LabDto | null;

  @NumberField({
    min: 0,
    presence: 'optional',
    description:
      'Difference between target and measurement as the laboratory determined it; stored as given, never computed',
    example: 0.8,
  })
  deltaE?: number | null;

  @FreeJsonField({ description: 'Any JSON; comes back as it was sent', example: COMPOSITION })
  colorantComposition?: unknown;

  @UuidField({ presence: 'optional', description: 'An existing formula', example: null })
  formulaId?: string | null;
}

export class RecommendDto {
  @ObjectField({ type: () => LabDto, description: 'The colour to reach' })
  targetLab!: LabDto;
}

export class MatchQuery {
  @QueryNumberField({ ...LAB_LIMITS.L, description: LAB_TEXTS.L, example: 42.5 })
  L!: number;

  @QueryNumberField({ ...LAB_LIMITS.a, description: LAB_TEXTS.a, example: 48.2 })
  a!: number;

  @QueryNumberField({ ...LAB_LIMITS.b, description: LAB_TEXTS.b, example: 21.7 })
  b!: number;

  @QueryIntegerField({ default: 5, min: 1, max: 20, description: 'How many of the nearest' })
  limit: number = 5;
}
