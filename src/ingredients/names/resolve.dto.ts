import { ApiProperty } from '@nestjs/swagger';
import { TextListField } from '../../platform/validation/fields';
import { MATCHES, type MatchedBy, type Resolution } from './resolution';

/** Most names of one request. */
export const MAX_RESOLVED = 200;
export const MAX_NAME_LENGTH = 200;
/** Most ingredients that are shown for one name. */
const MAX_CANDIDATES = 5;

export class ResolveNamesDto {
  @TextListField({
    minItems: 1,
    maxItems: MAX_RESOLVED,
    max: MAX_NAME_LENGTH,
    description: 'INCI, Chinese, trade or everyday names, CAS or EC numbers, as they are written',
    example: ['去离子水', '甘油(99%)', 'GTCC', '56-81-5', 'Glycerin'],
  })
  names!: string[];
}

export class CandidateIngredientDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  supplier!: string | null;
}

export class CandidateDto {
  @ApiProperty()
  ingredient!: CandidateIngredientDto;

  @ApiProperty({
    enum: MATCHES,
    enumName: 'MatchedBy',
    description:
      'The name by which it was found. everyday-name: the shipped list has the name; similar: no name is equal, ' +
      'but this one contains it or is spelt alike',
    example: 'chinese',
  })
  matchedBy!: MatchedBy;
}

export class ResolvedNameDto {
  @ApiProperty({ description: 'The name of the request', example: '甘油(99%)' })
  name!: string;

  @ApiProperty({
    description:
      'Whether the name means exactly one ingredient that you may read: the first of the candidates. Names are equal ' +
      'regardless of width, case, blanks, hyphens, brackets, normal form and traditional characters. If several ' +
      'suppliers have the INCI name, the only one that has the name as a synonym or trade name is meant. If a name ' +
      'is written twice (`Aqua (Water)`), both must mean the ingredient. False for a similar name, an everyday name ' +
      'with several meanings, and a solution below 98 %',
    example: true,
  })
  certain!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The part of the name that was ignored, such as `99%`',
    example: '99%',
  })
  grade!: string | null;

  @ApiProperty({
    type: [String],
    description:
      'The INCI names that the shipped list of everyday names gives; several where it is ambiguous',
    example: ['Glycerin'],
  })
  inciNames!: readonly string[];

  @ApiProperty({ type: [CandidateDto], maxItems: MAX_CANDIDATES, description: 'The best first' })
  candidates!: readonly CandidateDto[];
}

/** Returns the resolution as requests are answered: with a few candidates, without prices. */
export const shownResolution = ({ candidates, ...resolution }: Resolution): ResolvedNameDto => ({
  ...resolution,
  candidates: candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ ingredient: { id, inciName, chineseName, supplier }, matchedBy }) => ({
      ingredient: { id, inciName, chineseName, supplier },
      matchedBy,
    })),
});
