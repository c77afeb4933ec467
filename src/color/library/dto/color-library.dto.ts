import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../../../common/pagination';
import { QueryNumberField, QueryTextField } from '../../../common/validation/query-fields';
import { LAB_LIMITS } from '../../lab-limits';
import { LAB_TEXTS, LabDto } from '../../dto/lab.dto';

export class LibraryQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description:
      'Part of a name, regardless of case: Chinese in simplified or traditional characters, pinyin with or without tone marks and ' +
      'spaces (ü also as v or u), English with or without accents. The exact name first, then names that begin with it.',
    example: 'yanzhi',
  })
  search?: string;

  @QueryNumberField({
    ...LAB_LIMITS.L,
    presence: 'omittable',
    description: `${LAB_TEXTS.L}; with a and b: the nearest first`,
  })
  L?: number;

  @QueryNumberField({ ...LAB_LIMITS.a, presence: 'omittable', description: LAB_TEXTS.a })
  a?: number;

  @QueryNumberField({ ...LAB_LIMITS.b, presence: 'omittable', description: LAB_TEXTS.b })
  b?: number;
}

/** A named colour, for reference: derived from sRGB, so D65 and the 2° observer. */
export class NamedColorDto {
  @ApiProperty({ format: 'uuid', description: 'The same in every installation' })
  id!: string;

  @ApiProperty({ description: 'Chinese names in simplified characters', example: '胭脂' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of Chinese names, with tone marks',
    example: 'yān zhī',
  })
  pinyin!: string | null;

  @ApiProperty({ description: 'sRGB', pattern: '^#[0-9a-f]{6}$', example: '#952e3a' })
  hex!: string;

  @ApiProperty({ description: 'CIELAB of hex (D65, 2°)' })
  lab!: LabDto;

  @ApiProperty({ description: 'The published list the colour comes from', example: 'chinese-colors' })
  source!: string;

  @ApiProperty({
    required: false,
    minimum: 0,
    description:
      'CIEDE2000 difference to L, a, b; only when they were given, the list then ascends by it, then by id',
    example: 0.9,
  })
  deltaE?: number;
}
