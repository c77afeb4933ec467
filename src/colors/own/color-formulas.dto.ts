import { ApiProperty } from '@nestjs/swagger';
import { ColorFormulaDto } from '../color.dto';
import { PageQuery } from '../../platform/common/pagination';
import { UuidField } from '../../platform/validation/fields';
import { QueryTextField } from '../../platform/validation/query-fields';

export class ColorFormulaQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description: 'Part of the name, regardless of case, normal form and width',
    example: '红',
  })
  search?: string;

  @UuidField({ presence: 'omittable', description: 'Colours that are linked to this formula' })
  formulaId?: string;
}

/** A stored colour with the differences between its target and its measurement. */
export class MeasuredColorDto extends ColorFormulaDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    description:
      'CIEDE2000 difference (kL = kC = kH = 1) between targetLab and actualLab, computed; null without actualLab. ' +
      '`deltaE` is what the laboratory stored.',
    example: 0.83,
  })
  deltaE2000!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    description: 'Euclidean difference in CIELAB (ΔE*ab, 1976) of the same, computed; null without actualLab',
    example: 1.41,
  })
  deltaE76!: number | null;
}
