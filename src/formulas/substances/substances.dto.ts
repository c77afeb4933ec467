import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { TextOrNull } from '../../platform/validation/record-fields';
import { PageQuery } from '../../platform/common/pagination';
import { QueryNumberField, QueryTextField } from '../../platform/validation/query-fields';
import { SUBSTANCE_ROLES, type SubstanceRole } from '../../ingredients/raw-materials/substance';
import { FormulaMetadataDto } from '../formula.dto';
import { NamedIngredientDto } from '../formula.fields';
import { UsageQuery } from '../lists/lists.dto';

export class SubstancesQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description:
      'Part of an INCI or Chinese name or of a further name of the ingredient, a synonym that INCI knows (`Water`), or a ' +
      'complete CAS or EC number',
    example: 'phenoxy',
  })
  search?: string;
}

export class SubstanceFormulasQuery extends UsageQuery {
  @QueryNumberField({
    min: 0,
    max: 100,
    presence: 'omittable',
    description:
      'Least percent of the formula, all lines together. It is compared with the highest possible share, so that no ' +
      'formula that may contain so much is left out',
    example: 0.5,
  })
  minShare?: number;
}

/** A substance of the raw materials that the user may read. */
export class ListedSubstanceDto {
  @ApiProperty({ description: 'Equal for all names of the substance', example: 'phenoxyethanol' })
  key!: string;

  @ApiProperty({ description: 'The name that most raw materials have for it', example: 'Phenoxyethanol' })
  inciName!: string;

  @ApiProperty({ type: String, nullable: true, example: '苯氧乙醇' })
  chineseName!: string | null;

  @ApiProperty({ type: [String], example: ['122-99-6'] })
  casNumbers!: string[];

  @ApiProperty({ type: [String], example: ['204-589-7'] })
  ecNumbers!: string[];

  @ApiProperty({ description: 'Whether a raw material contains it in the form of a nanomaterial' })
  isNano!: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Raw materials that contain it', example: 2 })
  rawMaterials!: number;
}

/** All three are equal if the share is known exactly. */
class SubstanceShareDto {
  @ApiProperty({ description: 'Percent of the formula, an exact decimal', example: '0.72' })
  min!: string;

  @ApiProperty({ description: 'Halfway between the two', example: '0.72' })
  middle!: string;

  @ApiProperty({ description: 'The highest possible share', example: '0.72' })
  max!: string;
}

const KNOWN_FROM = ['composition', 'own-name', 'strength', 'itself'] as const;
export type KnownFrom = (typeof KNOWN_FROM)[number];

class SubstanceLineDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '后添加' })
  phase!: string;

  @ApiProperty({ description: 'The raw material' })
  ingredient!: NamedIngredientDto;

  @ApiProperty({ description: 'Of the line: percent of the formula', example: 0.8 })
  percentage!: number;

  @ApiProperty({ description: 'Of the substance in this line' })
  share!: SubstanceShareDto;

  @ApiProperty({
    enum: KNOWN_FROM,
    description:
      'composition: the raw material has one; own-name: it has none and counts as its own INCI name; strength: it ' +
      'has none, and its card says how much of it is that name and what solvent is the rest; itself: a line of the ' +
      'ingredient whose use is listed',
  })
  knownFrom!: KnownFrom;

  @ApiProperty({
    type: [String],
    enum: SUBSTANCE_ROLES,
    description: 'In the raw material',
    example: ['preservative'],
  })
  roles!: SubstanceRole[];

  @ApiProperty({ description: 'Whether the raw material contains it in the form of a nanomaterial' })
  isNano!: boolean;
}

/** A version of a formula that contains a substance. */
export class SubstanceFormulaDto extends PickType(FormulaMetadataDto, ['id', 'name', 'currentVersion']) {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'The version that contains it', example: 3 })
  versionNumber!: number;

  @ApiProperty({ description: 'Of the substance, all lines together' })
  share!: SubstanceShareDto;

  @ApiProperty({ type: [SubstanceLineDto], description: 'The lines that it comes from, in their order' })
  lines!: SubstanceLineDto[];
}

/** A version of a formula that contains an ingredient or its substance. */
export class WhereUsedDto extends OmitType(SubstanceFormulaDto, ['share']) {
  @TextOrNull(
    'Percent of the formula in lines of the ingredient itself, an exact decimal; null if there are none',
    '0.5',
  )
  directly!: string | null;

  @ApiProperty({
    type: SubstanceShareDto,
    nullable: true,
    description: 'Of its substance in lines of other raw materials; null if there are none',
  })
  through!: SubstanceShareDto | null;
}

/** Formulas about which the list cannot say everything. */
export class UnknownFormulasDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Formulas, listed or not, in whose chosen versions a raw material has parts that are not known: a blend without a ' +
      'composition, a blend within one, or an ingredient that you may not read. Whether they contain more is not known.',
    example: 3,
  })
  formulas!: number;
}
