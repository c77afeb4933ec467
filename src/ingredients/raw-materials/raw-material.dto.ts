import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import {
  EnumField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  UuidField,
} from '../../platform/validation/fields';
import { ResponseType } from '../../platform/validation/record-fields';
import { casFault, ecFault, plainNumber } from './registry-numbers';
import { MAX_SUBSTANCES, SUBSTANCE_ROLES, type SubstanceRole } from './substance';

const OPTIONAL = { presence: 'optional' } as const;
const NAME = { max: 200, trim: true };
/** Of which a rule says why several numbers are none. */
const REGISTRY_NUMBER = { ...OPTIONAL, max: 200, form: plainNumber };

/** The bounds between which the share of a substance lies. */
export class PercentageRangeDto {
  @NumberField({ min: 0, max: 100, description: 'Percent of the raw material', example: 5 })
  min!: number;

  @NumberField({ moreThan: 0, max: 100, description: 'Percent of the raw material', example: 10 })
  max!: number;
}

/** What a substance is called. */
export class NamedSubstanceDto {
  @TextField({ ...NAME, description: 'International name (INCI)', example: 'Phenoxyethanol' })
  inciName!: string;

  @TextField({ ...NAME, ...OPTIONAL, example: '苯氧乙醇' })
  chineseName?: string | null;

  @TextField({
    ...{ ...REGISTRY_NUMBER, rule: casFault },
    description: 'CAS number with its check digit',
    example: '122-99-6',
  })
  casNumber?: string | null;

  @TextField({
    ...{ ...REGISTRY_NUMBER, rule: ecFault },
    description: 'EC number with its check digit',
    example: '204-589-7',
  })
  ecNumber?: string | null;
}

/** How much of it is in a raw material, and what for. */
class ShareFields {
  @NumberField({
    ...{ ...OPTIONAL, moreThan: 0, max: 100 },
    description: 'Percent of the raw material; either this or range',
    example: 90,
  })
  percentage?: number | null;

  @ObjectField({
    ...{ ...OPTIONAL, type: () => PercentageRangeDto },
    description: 'The bounds, if the supplier gives no exact share; either this or percentage',
    example: null,
  })
  range?: PercentageRangeDto | null;

  @EnumField({
    ...{ ...OPTIONAL, values: SUBSTANCE_ROLES },
    description:
      'Its role in the raw material. impurity and processing-aid are not declared on labels, nano is declared ' +
      'as a nanomaterial, fragrance-allergen above its threshold',
    example: 'preservative',
  })
  role?: SubstanceRole | null;
}

export class SubstanceDto extends IntersectionType(NamedSubstanceDto, ShareFields) {}

export class SubstancesDto {
  @ListField({
    type: () => SubstanceDto,
    maxItems: MAX_SUBSTANCES,
    description:
      'All substances, including the balance. The shares add up to 100 percent; with ranges, the sum of the lowest ' +
      'shares is at most 100 and that of the highest at least 100. An empty list removes the composition.',
    example: [
      { inciName: 'Glycerin', chineseName: '甘油', casNumber: '56-81-5', percentage: 99.5 },
      { inciName: 'Aqua', chineseName: '水', casNumber: '7732-18-5', percentage: 0.5, role: 'solvent' },
    ],
  })
  substances!: SubstanceDto[];
}

/*
 * Responses
 */

/** How much is known of the substances of a raw material. */
export const COMPOSITION_STATES = ['given', 'own-name', 'strength', 'unknown'] as const;
export type CompositionState = (typeof COMPOSITION_STATES)[number];

export class ShownSubstanceDto extends IntersectionType(
  ResponseType(NamedSubstanceDto),
  ResponseType(ShareFields),
) {}

export class RawMaterialDto {
  @ApiProperty({ format: 'uuid', description: 'The ingredient' })
  ingredientId!: string;

  @ApiProperty({ description: 'Of the ingredient', example: 'Phenoxyethanol (and) Ethylhexylglycerin' })
  inciName!: string;

  @ApiProperty({
    enum: [...COMPOSITION_STATES],
    enumName: 'CompositionState',
    description:
      'given: the substances listed; own-name: none are given, it counts as 100 percent its own INCI name; strength: ' +
      'it counts as that much of its INCI name and the solvent of its card; unknown: ' +
      'none are given and its INCI name is that of a blend, which is never split by guess',
    example: 'given',
  })
  state!: CompositionState;

  @ApiProperty({ type: [ShownSubstanceDto], description: 'In the order given' })
  substances!: ShownSubstanceDto[];
}

/*
 * Rows of files: one for each substance
 */

/** Most rows of one export, and of one file. */
export const MAX_EXPORTED_ROWS = 20_000;
const MAX_IMPORTED_ROWS = 1000;

export class RowReferenceFields {
  @UuidField({ presence: 'optional', description: 'The raw material', example: null })
  ingredientId?: string | null;

  @TextField({
    ...{ ...OPTIONAL, max: NAME.max },
    description:
      'INCI name of the raw material as the catalogue has it; it counts where there is no ingredientId',
    example: 'Phenoxyethanol (and) Ethylhexylglycerin',
  })
  ingredient?: string | null;

  @TextField({
    ...{ ...OPTIONAL, max: NAME.max },
    description: 'Supplier of the raw material; needed where several have the name',
    example: null,
  })
  supplier?: string | null;

  @NumberField({
    ...{ ...OPTIONAL, min: 0, max: 100 },
    description: 'With maxPercentage instead of percentage',
    example: null,
  })
  minPercentage?: number | null;

  @NumberField({
    ...{ ...OPTIONAL, moreThan: 0, max: 100 },
    description: 'Instead of percentage; without minPercentage the range begins at 0',
    example: null,
  })
  maxPercentage?: number | null;
}

/** How a row names its raw material. */
export type RowReference = Pick<RowReferenceFields, 'ingredientId' | 'ingredient' | 'supplier'>;

const SUBSTANCE_COLUMNS = ['inciName', 'chineseName', 'casNumber', 'ecNumber', 'percentage', 'role'] as const;

export class SubstanceRowDto extends IntersectionType(
  RowReferenceFields,
  PickType(SubstanceDto, SUBSTANCE_COLUMNS),
) {}

export class ImportSubstancesDto {
  @ListField({
    type: () => SubstanceRowDto,
    minItems: 1,
    maxItems: MAX_IMPORTED_ROWS,
    presence: 'optional',
    description: 'The rows of a raw material are its complete composition, in this order',
    example: [
      { ingredient: 'Sodium Laureth Sulfate', inciName: 'Sodium Laureth Sulfate', percentage: 70 },
      { ingredient: 'Sodium Laureth Sulfate', inciName: 'Aqua', percentage: 30 },
    ],
  })
  rows?: SubstanceRowDto[] | null;
}

/** A row as an export has it. */
export class ShownRowDto extends IntersectionType(
  ResponseType(RowReferenceFields),
  PickType(ShownSubstanceDto, SUBSTANCE_COLUMNS),
) {}

export class ExportedSubstancesDto {
  @ApiProperty({
    type: [ShownRowDto],
    description: 'By INCI name of the raw material; an import takes them back',
  })
  rows!: ShownRowDto[];
}

export class ImportedCompositionsDto {
  @ApiProperty({ type: 'integer', description: 'Raw materials whose composition was replaced', example: 1 })
  ingredients!: number;

  @ApiProperty({ type: 'integer', description: 'Their substances', example: 2 })
  substances!: number;
}
