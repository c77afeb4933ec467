import { ApiProperty, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import {
  BooleanField,
  NumberField,
  ObjectField,
  TextField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields';
import { BalancedLineDto, PercentagesDto } from '../costing/balance.dto';
import { FormulaMetadataDto } from '../formula.dto';
import { NamedIngredientDto } from '../formula.fields';
import { NO_PROJECT, projectFault } from '../lists/lists.dto';
import { AccountNameDto } from '../../users/people/people.dto';

export const REPLACEMENT_LIMITS = {
  /** Formulas that one replacement changes. */
  formulas: 200,
  /** Ingredient lines in all of them together. */
  lines: 20_000,
  /** Formulas that the access policy decides about, one by one. */
  decisions: 1000,
  /** Formulas that are listed because the user may not change them. */
  notPermitted: 200,
} as const;

/*
 * Requests
 */

/** Either of the two. */
export class FormulaSelectionDto {
  @UuidListField({
    minItems: 1,
    maxItems: REPLACEMENT_LIMITS.formulas,
    presence: 'omittable',
    description: 'These formulas; those that do not contain the ingredient stay as they are',
    example: [EXAMPLE_IDS.formula],
  })
  ids?: string[];

  @TextField({
    max: 36,
    presence: 'omittable',
    rule: projectFault,
    description: `Instead of ids: the formulas of this project; \`${NO_PROJECT}\`: formulas that show none`,
    example: EXAMPLE_IDS.project,
  })
  projectId?: string;
}

export class ReplaceIngredientDto {
  @UuidField({ description: 'The ingredient that takes its place', example: EXAMPLE_IDS.otherIngredient })
  by!: string;

  @NumberField({
    moreThan: 0,
    max: 100,
    presence: 'optional',
    description: 'Percentages are multiplied by it. Default 1',
    example: 0.8,
  })
  factor?: number | null;

  @ObjectField({
    type: () => FormulaSelectionDto,
    presence: 'optional',
    description: 'Default: all formulas that you may read',
    example: { ids: [EXAMPLE_IDS.formula] },
  })
  formulas?: FormulaSelectionDto | null;

  @BooleanField({
    presence: 'optional',
    description: 'Only say what would become of the formulas. Default true',
    example: true,
  })
  dryRun?: boolean | null;
}

/*
 * Responses
 */

export class FormulaNameDto extends PickType(FormulaMetadataDto, ['id', 'name']) {}

class NotPermittedFormulaDto extends FormulaNameDto {
  @ApiProperty()
  createdBy!: AccountNameDto;

  @ApiProperty({
    description: 'Percent of the ingredient in the latest version, all its lines together',
    example: 1,
  })
  share!: number;
}

/** Raw materials of one name differ in their supplier. */
export class ReplacedIngredientDto extends NamedIngredientDto {
  @ApiProperty({ type: String, nullable: true, example: null })
  supplier!: string | null;
}

class VersionNumbersDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  from!: number;

  @ApiProperty({ type: 'integer', minimum: 2, example: 4 })
  to!: number;
}

export const REPLACEMENT_WARNINGS = ['sum-out-of-bounds', 'line-out-of-range'] as const;
export type ReplacementWarning = (typeof REPLACEMENT_WARNINGS)[number];

export class ReplacedFormulaDto extends FormulaNameDto {
  @ApiProperty()
  versionNumber!: VersionNumbersDto;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Lines that are replaced', example: 1 })
  lineCount!: number;

  @ApiProperty({ description: 'Of the replaced lines together' })
  share!: PercentagesDto;

  @ApiProperty({ description: 'Of all lines together, exact' })
  totalPercentage!: PercentagesDto;

  @ApiProperty({ description: 'Whether the formula contains the other ingredient already', example: false })
  alreadyContains!: boolean;

  @ApiProperty({
    enum: REPLACEMENT_WARNINGS,
    nullable: true,
    description:
      'Why the replacement cannot be written: the sum is not 99.5 to 100.5, or a line is not above 0 and at most 100. ' +
      'Null where it can',
    example: null,
  })
  warning!: ReplacementWarning | null;

  @ApiProperty({
    type: BalancedLineDto,
    nullable: true,
    description:
      'The line that could bring the sum to exactly 100: the water, else the largest one that is not replaced. Null ' +
      'where the sum is 100, or neither can',
  })
  balancingLine!: BalancedLineDto | null;
}

export class ReplacementDto {
  @ApiProperty({ description: 'Whether nothing was written', example: true })
  dryRun!: boolean;

  @ApiProperty({ description: 'The ingredient that is replaced' })
  ingredient!: ReplacedIngredientDto;

  @ApiProperty({ description: 'The ingredient that takes its place' })
  by!: ReplacedIngredientDto;

  @ApiProperty({ example: 0.8 })
  factor!: number;

  @ApiProperty({ type: [ReplacedFormulaDto], description: 'Formulas that are changed, by name' })
  formulas!: ReplacedFormulaDto[];

  @ApiProperty({
    type: [NotPermittedFormulaDto],
    maxItems: REPLACEMENT_LIMITS.notPermitted,
    description:
      'Formulas that stay as they are because you may not change them, or may not see one of their ingredients: the ' +
      `first ${REPLACEMENT_LIMITS.notPermitted} by name`,
  })
  notPermitted!: NotPermittedFormulaDto[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many of them there are', example: 0 })
  notPermittedCount!: number;

  @ApiProperty({
    type: [FormulaNameDto],
    description:
      'Those of `formulas.ids` whose latest version does not contain the ingredient. They stay as they are',
  })
  withoutIngredient!: FormulaNameDto[];
}
