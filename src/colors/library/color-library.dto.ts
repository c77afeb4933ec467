import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../../platform/common/pagination';
import { ObjectField } from '../../platform/validation/fields';
import { QueryNumberField, QueryTextField } from '../../platform/validation/query-fields';
import { IdField, ResponseType, ShownField } from '../../platform/validation/record-fields';
import { LAB_FIELDS, LabDto } from '../lab.fields';

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
    ...LAB_FIELDS.L,
    presence: 'omittable',
    description: `${LAB_FIELDS.L.description}; with a and b: the nearest first`,
  })
  L?: number;

  @QueryNumberField({ ...LAB_FIELDS.a, presence: 'omittable' })
  a?: number;

  @QueryNumberField({ ...LAB_FIELDS.b, presence: 'omittable' })
  b?: number;
}

/** The stored fields of a named colour, except the spellings for the search. */
class NamedColorFields {
  @IdField({ description: 'The same in every installation' })
  id!: string;

  @ShownField({ type: String, description: 'Chinese names in simplified characters', example: '胭脂' })
  name!: string;

  @ShownField({
    type: String,
    nullable: true,
    description: 'Of Chinese names, with tone marks',
    example: 'yān zhī',
  })
  pinyin!: string | null;

  @ShownField({ type: String, description: 'sRGB', pattern: '^#[0-9a-f]{6}$', example: '#952e3a' })
  hex!: string;

  @ObjectField({ type: () => LabDto, description: 'CIELAB of hex (D65, 2°)' })
  lab!: LabDto;

  @ShownField({
    type: String,
    description: 'The published list the colour comes from',
    example: 'chinese-colors',
  })
  source!: string;
}

/** A named colour for reference, derived from sRGB and therefore for D65 and the 2° observer. */
export class NamedColorDto extends ResponseType(NamedColorFields) {
  @ApiProperty({
    required: false,
    minimum: 0,
    description:
      'CIEDE2000 difference to L, a, b; only when they were given, the list then ascends by it, then by id',
    example: 0.9,
  })
  deltaE?: number;
}
