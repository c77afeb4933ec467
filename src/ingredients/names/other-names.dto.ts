import { PartialType } from '@nestjs/swagger';
import { IdField, ResponseType } from '../../platform/validation/record-fields';
import { TextListField } from '../../platform/validation/fields';
import type { NameKind } from './ingredient-name.entity';

/** Most names of one kind that an ingredient has. */
export const MAX_NAMES = 50;
export const MAX_NAME_LENGTH = 200;
const LIST = { maxItems: MAX_NAMES, max: MAX_NAME_LENGTH } as const;

/** The field of each kind. */
export const FIELD_OF_KIND = {
  cas: 'casNumbers',
  ec: 'ecNumbers',
  synonym: 'synonyms',
  'trade-name': 'tradeNames',
} as const satisfies Record<NameKind, string>;

/** Names of an ingredient beside its INCI and Chinese name. */
class OtherNamesFields {
  @TextListField({ ...LIST, description: 'CAS numbers with their check digits', example: ['56-81-5'] })
  casNumbers!: string[];

  @TextListField({ ...LIST, description: 'EC numbers with their check digits', example: ['200-289-5'] })
  ecNumbers!: string[];

  @TextListField({ ...LIST, description: 'In any language', example: ['丙三醇', 'Glycerol'] })
  synonyms!: string[];

  @TextListField({ ...LIST, description: 'Names under which suppliers sell it', example: ['Pricerine 9091'] })
  tradeNames!: string[];
}

export class OtherNamesDto extends OtherNamesFields {}

/** Names to add. A list that is left out adds none. */
export class AddedNamesDto extends PartialType(OtherNamesFields, { skipNullProperties: false }) {}

class ShownOtherNamesFields extends OtherNamesFields {
  @IdField({ description: 'The ingredient' })
  ingredientId!: string;
}

export class ShownOtherNamesDto extends ResponseType(ShownOtherNamesFields) {}
