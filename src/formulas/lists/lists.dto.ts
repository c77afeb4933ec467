import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { NumberOrNull } from '../../platform/validation/record-fields';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import {
  QueryEnumField,
  QueryIntegerField,
  QueryNumberField,
  QueryTextField,
} from '../../platform/validation/query-fields';
import {
  FormulaDto,
  FormulaLineDto,
  FormulaMetadataDto,
  FormulaPhaseDto,
  FormulaQuery,
  FormulaVersionDto,
  SORT_ORDERS,
  type SortOrder,
} from '../formula.dto';
import { IngredientQuery } from '../../ingredients/ingredient.dto';
import { IdListField, idsOf, MAX_IDS, uuidFault } from '../../platform/validation/id-list';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { casFault, plainNumber } from '../../ingredients/raw-materials/registry-numbers';
import { PageQuery } from '../../platform/common/pagination';
import { isDay, UuidField, UuidListField } from '../../platform/validation/fields';
import { NamedIngredientDto } from '../formula.fields';
import { PRODUCT_TYPES, type ProductType } from '../product-types';

/** A date, midnight in UTC, or a time with its zone. */
const DATE_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The time that a query means: an unescaped `+` before the zone arrives as a blank. */
export const readTime = (time: string): string => time.replace(/(?<=T.*) (?=\d\d:\d\d$)/, '+');

/** Stands for the formulas without a project. */
export const NO_PROJECT = 'none';

export const projectFault = (id: string) => (id === NO_PROJECT ? undefined : uuidFault(id));

function timeFault(given: string) {
  const time = readTime(given);
  const [, date] = DATE_OR_TIME.exec(time) ?? [];
  const isTime = date !== undefined && isDay(date) && !Number.isNaN(Date.parse(time));
  return isTime ? undefined : text('field.not-a-time');
}

/** @throws InvalidInputError where the lower bound is above the upper bound */
export function assertRange<Field extends string>(
  query: { readonly [Bound in Field]?: number },
  lower: Field,
  upper: Field,
): void {
  const { [lower]: min, [upper]: max } = query;
  if (min === undefined || max === undefined || min <= max) return;
  throw InvalidInputError.of([{ field: lower, message: text('composition.reversed-range', { min, max }) }]);
}

const SHARE = { min: 0, max: 100 } as const;

/**
 * Which formulas a list has. Filters hold together; `search` finds among the formulas that they leave, and
 * `category` is of an ingredient that the latest version contains.
 */
export class FormulaFilterQuery extends IntersectionType(
  FormulaQuery,
  PickType(IngredientQuery, ['category']),
) {
  @ApiProperty({ description: 'Of an ingredient that the latest version contains' })
  override category?: IngredientQuery['category'];

  @QueryTextField({
    max: 36,
    rule: projectFault,
    description: `Id of a project; \`${NO_PROJECT}\`: formulas that show none`,
    example: EXAMPLE_IDS.project,
  })
  projectId?: string;

  @QueryTextField({
    max: 36,
    rule: uuidFault,
    description: 'The latest version contains this ingredient',
    example: EXAMPLE_IDS.ingredient,
  })
  ingredientId?: string;

  @QueryNumberField({
    ...SHARE,
    presence: 'omittable',
    description: 'Least percent of `ingredientId`, all its lines of the latest version together',
    example: 1,
  })
  minShare?: number;

  @QueryNumberField({
    ...SHARE,
    presence: 'omittable',
    description: 'Most percent of `ingredientId`, all its lines of the latest version together',
    example: 5,
  })
  maxShare?: number;

  @QueryTextField({
    max: 1000,
    description:
      'The latest version contains this substance, through whichever raw material: its key, or one of its INCI names. ' +
      'What an unknown blend contains is not known',
    example: 'phenoxyethanol',
  })
  substance?: string;

  @QueryEnumField({ values: PRODUCT_TYPES, description: 'Of its profile', example: 'face-leave-on' })
  productType?: ProductType;

  @QueryTextField({ max: 20, description: 'One of the markets of its profile', example: 'eu' })
  market?: string;

  @QueryTextField({
    max: 36,
    rule: uuidFault,
    description: 'Id of the user who created it',
    example: EXAMPLE_IDS.user,
  })
  createdBy?: string;

  @QueryTextField({
    max: 40,
    rule: timeFault,
    description: 'Changed at this time or later: a date (midnight UTC), or a time with its zone',
    example: '2026-01-31T08:00:00Z',
  })
  changedSince?: string;
}

const SORTS = ['createdAt', 'inciName', 'chineseName', 'supplier', 'unitPrice'] as const;

const DEFAULT_LIMIT = 20;

/** Which ingredients a list has. Filters hold together. */
export class IngredientFilterQuery extends OmitType(IngredientQuery, ['limit']) {
  @QueryIntegerField({
    min: 1,
    max: 100,
    description: `Records per page. Default: ${DEFAULT_LIMIT}; with \`ids\` as many as there are ids`,
    example: DEFAULT_LIMIT,
  })
  limit?: number;

  @IdListField({
    presence: 'omittable',
    description: 'Ids of ingredients',
    example: EXAMPLE_IDS.ingredient,
  })
  ids?: string;

  @QueryTextField({
    max: 200,
    notBlank: true,
    description: 'Part of the supplier, regardless of case, normal form, width and kind of blank',
    example: '化工',
  })
  supplier?: string;

  @QueryNumberField({
    min: 0,
    presence: 'omittable',
    description: 'Least price, per unit of the ingredient: units are not converted',
    example: 5,
  })
  minPrice?: number;

  @QueryNumberField({
    min: 0,
    presence: 'omittable',
    description: 'Greatest price, per unit of the ingredient: units are not converted',
    example: 100,
  })
  maxPrice?: number;

  @QueryTextField({
    max: 20,
    rule: (number) => casFault(plainNumber(number)),
    description: 'CAS number: one of the other names of the ingredient, or that of its only substance',
    example: '56-81-5',
  })
  casNumber?: string;

  @QueryEnumField({
    values: SORTS,
    description:
      'Default: as GET /api/ingredients, by how well a searched name fits, then the newest first. Ingredients without a ' +
      'value come last',
    example: 'inciName',
  })
  sortBy?: (typeof SORTS)[number];

  @QueryEnumField({ values: SORT_ORDERS, default: 'asc', description: 'With `sortBy` only' })
  sortOrder: SortOrder = 'asc';
}

export const paged = <Query extends IngredientFilterQuery>(query: Query): Query & { limit: number } => ({
  ...query,
  limit: query.limit ?? (query.ids === undefined ? DEFAULT_LIMIT : idsOf(query.ids).length),
});

export const SEARCHED_VERSIONS = ['current', 'all'] as const;
export type SearchedVersions = (typeof SEARCHED_VERSIONS)[number];

export class UsageQuery extends PageQuery {
  @QueryEnumField({
    values: SEARCHED_VERSIONS,
    default: 'current',
    description: '`current`: the latest version of each formula; `all`: earlier ones too',
  })
  versions: SearchedVersions = 'current';
}

const NAMED = ['id', 'name', 'currentVersion'] as const;

/** A formula that contains an ingredient, in the chosen versions. */
export class UsingFormulaDto extends PickType(FormulaMetadataDto, NAMED) {
  @NumberOrNull(
    'Percent of the latest version, all lines together, exact; null where only earlier ones contain it',
    5,
  )
  share!: number | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Versions that contain it', example: 3 })
  versionCount!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the first of them', example: 2 })
  firstVersion!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the last of them', example: 5 })
  lastVersion!: number;

  @ApiProperty({ description: 'Least percent of a version that contains it', example: 3 })
  minShare!: number;

  @ApiProperty({ description: 'Greatest percent of a version that contains it', example: 5 })
  maxShare!: number;
}

export class MoveFormulasDto {
  @UuidListField({
    minItems: 1,
    maxItems: MAX_IDS,
    description: 'Formulas, all of which you may change',
    example: [EXAMPLE_IDS.formula],
  })
  ids!: string[];

  @ApiProperty({ required: true })
  @UuidField({
    presence: 'optional',
    description: 'A project; null takes the formulas out of theirs. It must be there',
    example: EXAMPLE_IDS.project,
  })
  projectId?: string | null;
}

export class MovedFormulasDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The project that all formulas are in now',
    example: null,
  })
  projectId!: string | null;

  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Formulas that were elsewhere before, in the order sent; the others stayed as they were',
  })
  moved!: string[];
}

/** Words that `expand` accepts, and the field of an ingredient that each adds. */
const EXPANSIONS = {
  price: 'unitPrice',
  unit: 'unit',
  category: 'functionCategory',
} as const;

export type ExpandedField = (typeof EXPANSIONS)[keyof typeof EXPANSIONS];

export const EXPANSION_WORDS = Object.keys(EXPANSIONS);

const expansionWords = (list: string): string[] => list.split(',').map((word) => word.trim());

const expansionFault = (list: string) =>
  expansionWords(list).every((word) => Object.hasOwn(EXPANSIONS, word))
    ? undefined
    : text('field.none-of', { values: EXPANSION_WORDS.join(', ') });

/** Returns the fields for a list of words, in the order of the catalogue. */
export function expandedFields(list: string): ExpandedField[] {
  const words = expansionWords(list);
  return Object.entries(EXPANSIONS).flatMap(([word, field]) => (words.includes(word) ? [field] : []));
}

export class ExpandQuery {
  @QueryTextField({
    max: 100,
    rule: expansionFault,
    description: `Fields to add to the ingredient of each line: some of ${EXPANSION_WORDS.join(', ')}, separated by commas`,
    example: 'price,unit,category',
  })
  expand?: string;
}

const HIDDEN = 'Only if `expand` names it. Null if you may not see the ingredient';

class ExpandedIngredientDto extends NamedIngredientDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    required: false,
    description: `${HIDDEN}, or it has no price`,
    example: 12.5,
  })
  unitPrice?: number | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: HIDDEN, example: 'kg' })
  unit?: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: HIDDEN, example: 'humectant' })
  functionCategory?: string | null;
}

class ExpandedLineDto extends OmitType(FormulaLineDto, ['ingredient']) {
  @ApiProperty()
  ingredient!: ExpandedIngredientDto;
}

class ExpandedPhaseDto extends OmitType(FormulaPhaseDto, ['ingredients']) {
  @ApiProperty({ type: [ExpandedLineDto] })
  ingredients!: ExpandedLineDto[];
}

class ExpandedVersionDto extends OmitType(FormulaVersionDto, ['phases']) {
  @ApiProperty({ type: [ExpandedPhaseDto] })
  phases!: ExpandedPhaseDto[];
}

export class ExpandedFormulaDto extends OmitType(FormulaDto, ['versions']) {
  @ApiProperty({
    type: [ExpandedVersionDto],
    minItems: 1,
    maxItems: 1,
    description: 'The latest version only',
  })
  versions!: ExpandedVersionDto[];
}
