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
      'By which of its names; everyday-name: by what the shipped list says; similar: no name is the same, this one ' +
      'contains it or is spelt alike',
    example: 'chinese',
  })
  matchedBy!: MatchedBy;
}

export class ResolvedNameDto {
  @ApiProperty({ description: 'As it was asked for', example: '甘油(99%)' })
  name!: string;

  @ApiProperty({
    description:
      'Whether exactly one ingredient that you may read has exactly this name, but for width, case, blanks, hyphens, ' +
      'brackets, normal form and traditional characters: the first of the candidates. Of several suppliers of one ' +
      'INCI name, the only one to which the name is given as a synonym or trade name. Of a name that is written ' +
      'twice (`Aqua (Water)`), the ingredient that both mean. Never of a similar name, of an everyday name with ' +
      'several meanings, or of a solution below 98 %',
    example: true,
  })
  certain!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What of the name was left out, because no ingredient has it in its name',
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
