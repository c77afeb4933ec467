import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { NumberOrNull, TextOrNull } from '../platform/validation/record-fields';
import { QueryEnumField } from '../platform/validation/query-fields';
import { AnalysedLineDto, AnalysedVersionDto } from '../formulas/costing/analysis.fields';
import { PRODUCT_TYPES } from '../formulas/product-types';
import { FromProfile, type ProfileUse } from '../formulas/profile/profile-defaults';
import { VersionQuery } from '../formulas/version-number';
import { DocumentQuery } from '../documents/document-format';

export const REGIONS = ['eu', 'us', 'cn'] as const;
export type Region = (typeof REGIONS)[number];

/** The product types of screenings, or only whether the product stays on. */
export const LABEL_PRODUCT_TYPES = ['leave-on', 'rinse-off', ...PRODUCT_TYPES] as const;
export type LabelProductType = (typeof LABEL_PRODUCT_TYPES)[number];

const ENTRY_KINDS = ['substance', 'fragrance', 'allergen', 'colorant', 'unknown'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Parts of an ingredient list, in their order on the label. */
const DECLARATION_GROUPS = ['descending', 'below-one-percent', 'colorants', 'trace'] as const;
export type DeclarationGroup = (typeof DECLARATION_GROUPS)[number];

const UNDECLARED_REASONS = ['impurity', 'processing-aid', 'allergen-not-above-threshold'] as const;
export type UndeclaredReason = (typeof UNDECLARED_REASONS)[number];

const PROBLEM_CODES = [
  'composition-unknown',
  'ingredient-hidden',
  'allergens-unknown',
  'allergen-role-unknown',
  'allergen-name-unknown',
  'no-inci-name',
  'no-chinese-name',
  'several-chinese-names',
  'same-chinese-name',
  'no-ci-number',
  'ci-number-only',
  'trade-name',
  'macrogol-by-mass',
  'fragrance-unclear',
  'latin-name',
  'latin-plant-name',
  'over-the-counter-drug',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export class DeclarationQuery extends IntersectionType(VersionQuery, DocumentQuery) {
  @QueryEnumField({
    values: REGIONS,
    description:
      'Whose rules; default: the first market of the profile that has rules here. Without one it is required',
    example: 'eu',
  })
  region?: Region;

  @QueryEnumField({
    values: LABEL_PRODUCT_TYPES,
    description:
      'Decides above which share the EU has allergens named: 0.001 percent, or 0.01 if rinsed off. Colorants of a ' +
      'hair dye stand among the other ingredients. Default: that of the profile, or `leave-on`',
    example: 'leave-on',
  })
  productType?: LabelProductType;
}

class OriginDto extends OmitType(AnalysedLineDto, ['id']) {
  @ApiProperty({ example: '水相' })
  phase!: string;

  @ApiProperty({ description: 'What the line brings of the substance: percent of the formula', example: 0.9 })
  share!: number;
}

export class ListedShareDto {
  @ApiProperty({ description: 'Of the substance', example: 'Phenoxyethanol' })
  inciName!: string;

  @ApiProperty({
    description: 'Percent of the formula; the middle of a range that the rest of the composition allows',
    example: 0.9,
  })
  percentage!: number;

  @ApiProperty({ description: 'Percent of the formula', example: 0.9 })
  minPercentage!: number;

  @ApiProperty({ description: 'Percent of the formula', example: 0.9 })
  maxPercentage!: number;

  @ApiProperty({
    description:
      'Percent of the formula that the entry of the fragrance, or of a natural extract, counts, too',
    example: 0,
  })
  countedInFragrance!: number;

  @ApiProperty({ type: [OriginDto] })
  lines!: OriginDto[];
}

export class DeclarationEntryDto extends ListedShareDto {
  @ApiProperty({ type: 'integer', description: 'In the list, counted from 1', example: 3 })
  position!: number;

  @TextOrNull('As the label has it; null where it is not known', 'Phenoxyethanol')
  name!: string | null;

  @ApiProperty({
    enum: DECLARATION_GROUPS,
    description:
      'below-one-percent: may stand in any order; colorants: stand last; trace: behind its own heading (China)',
  })
  group!: DeclarationGroup;

  @ApiProperty({ enum: ENTRY_KINDS, description: 'unknown: a raw material whose composition is not known' })
  kind!: EntryKind;
}

export class UndeclaredDto extends ListedShareDto {
  @ApiProperty({ enum: UNDECLARED_REASONS })
  reason!: UndeclaredReason;
}

export class DeclarationProblemDto extends OmitType(ListedShareDto, ['countedInFragrance']) {
  @ApiProperty({ enum: PROBLEM_CODES })
  code!: ProblemCode;

  @ApiProperty({ description: 'The problem in the language of the request', example: '没有标准中文名称' })
  message!: string;

  @ApiProperty({ type: [String], description: 'Names between which somebody has to choose; else none' })
  alternatives!: string[];
}

class DeclarationBasisDto {
  @ApiProperty({
    enum: ['middle'],
    description: 'Which share of a range decides the order, and the groups at 1 and 0.1 percent',
  })
  order!: 'middle';

  @ApiProperty({
    enum: ['maximum'],
    description: 'Which share of a range is compared with the threshold of allergens',
  })
  threshold!: 'maximum';

  @NumberOrNull(
    'Percent that a fragrance allergen must exceed to be named; null where the region names none',
    0.001,
  )
  allergensAbove!: number | null;
}

export class DeclarationDto extends OmitType(AnalysedVersionDto, ['totalPercentage']) {
  @ApiProperty({ enum: REGIONS })
  region!: Region;

  @ApiProperty({ enum: LABEL_PRODUCT_TYPES })
  productType!: LabelProductType;

  @FromProfile()
  fromProfile!: ProfileUse[];

  @ApiProperty({ description: 'The word that heads the list', example: 'Ingredients' })
  heading!: string;

  @ApiProperty({
    description: 'The list as the label would have it, a draft; a name that is missing stands as [? …]',
    example: 'Ingredients: Aqua, Glycerin, Phenoxyethanol, Ethylhexylglycerin',
  })
  text!: string;

  @ApiProperty({ description: 'false: problems say which names are missing or may be' })
  isComplete!: boolean;

  @ApiProperty({ description: 'Percent: the lines of the formula together', example: 100 })
  total!: number;

  @ApiProperty()
  basis!: DeclarationBasisDto;

  @ApiProperty({ type: [DeclarationEntryDto], description: 'In the order of the label' })
  entries!: DeclarationEntryDto[];

  @ApiProperty({ type: [UndeclaredDto], description: 'What the list does not name, and why' })
  undeclared!: UndeclaredDto[];

  @ApiProperty({
    type: [DeclarationProblemDto],
    description: 'Points that a person has to settle; nothing is guessed',
  })
  problems!: DeclarationProblemDto[];

  @ApiProperty({
    description: 'In the language of the request',
    example: 'Draft, to be checked by a qualified person. Not legal advice and not a safety assessment.',
  })
  closing!: string;
}
