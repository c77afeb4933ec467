import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import {
  BooleanField,
  DayField,
  EnumField,
  type FieldOptions,
  isDay,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '../../platform/validation/fields';
import { ResponseType } from '../../platform/validation/record-fields';
import { ImportQuery } from '../../files/http/file.dto';
import { PageQuery } from '../../platform/common/pagination';
import { QueryTextField } from '../../platform/validation/query-fields';
import { text } from '../../platform/texts/text';
import { IngredientDto } from '../ingredient.dto';
import { currencyNamed, kilogramsOf } from '../price-unit';
import { NamedSubstanceDto, RowReferenceFields } from '../raw-materials/raw-material.dto';

const NAME = { max: 200, trim: true };
const OPTIONAL = { presence: 'optional' } as const;
/** Most suppliers, and most documents, of one card. */
export const MAX_ENTRIES = 100;

const unitFault = (unit: string) => {
  const mass = kilogramsOf(unit, 1);
  return 'reason' in mass || unit.includes('/') ? text('card.not-a-unit') : undefined;
};

/** A name or sign of a currency; its code is stored. */
export const CurrencyField = (options: FieldOptions & { example?: string }) =>
  TextField({
    ...{ max: 10, notBlank: true, example: 'CNY' },
    form: (name) => currencyNamed(name) ?? name,
    rule: (name) => (currencyNamed(name) === undefined ? text('field.not-a-currency') : undefined),
    ...options,
  });

export const DensityField = () =>
  NumberField({
    ...{ ...OPTIONAL, min: 0.1, max: 25 },
    description: 'In kg/L, which are g/mL',
    example: 0.98,
  });

/** A supplier with a price. A further price of the supplier is an entry of its own: the history of the price. */
export class SupplierDto {
  @TextField({ ...NAME, example: '某某化工' })
  name!: string;

  @TextField({ ...NAME, ...OPTIONAL, description: "The laboratory's or supplier's code", example: 'RM-0101' })
  code?: string | null;

  @TextField({ ...NAME, ...OPTIONAL, example: 'Pricerine 9091' })
  tradeName?: string | null;

  @NumberField({ min: 0, max: 1e9, ...OPTIONAL, description: '`currency` per `unit`', example: 12.5 })
  price?: number | null;

  @CurrencyField({
    ...OPTIONAL,
    description: 'Code or sign; without it the price is in the currency of the exchange rates',
  })
  currency?: string | null;

  @TextField({
    ...{ ...OPTIONAL, max: 50, trim: true, notBlank: true, default: 'kg', rule: unitFault },
    description: 'Mass or volume that the price is for; a volume needs the density',
    example: 'kg',
  })
  unit?: string | null;

  @TextField({ ...NAME, ...OPTIONAL, max: 100, example: '25 kg' })
  minimumOrder?: string | null;

  @DayField({ ...OPTIONAL, description: 'Day of the price', example: '2026-11-02' })
  date?: string | null;

  @BooleanField({
    ...{ ...OPTIONAL, default: false },
    description:
      'True for at most one entry, whose code and trade name batch sheets print. Default in files: true for the newest ' +
      'price of the supplier that is preferred',
    example: true,
  })
  preferred?: boolean | null;
}

const DOCUMENT_KINDS = ['specification', 'safety-data-sheet', 'certificate', 'statement', 'other'] as const;

export class CardDocumentDto {
  @EnumField({ values: DOCUMENT_KINDS, enumName: 'CardDocumentKind', example: 'certificate' })
  kind!: (typeof DOCUMENT_KINDS)[number];

  @TextField({ ...NAME, example: 'RSPO Mass Balance' })
  title!: string;

  @TextField({
    ...{ ...NAME, ...OPTIONAL, max: 1000 },
    description: 'Address of the document. The service does not open it',
    example: 'https://example.com/rspo.pdf',
  })
  address?: string | null;

  @DayField({ ...OPTIONAL, description: 'Last day on which it is valid', example: '2027-03-31' })
  validUntil?: string | null;
}

export class CardDto {
  @ListField({ type: () => SupplierDto, maxItems: MAX_ENTRIES, description: 'In order; one for each price' })
  suppliers!: SupplierDto[];

  @DensityField()
  density?: number | null;

  @NumberField({
    ...{ ...OPTIONAL, moreThan: 0, max: 99.9999 },
    description:
      'Percent of the raw material that is the substance of its INCI name; the rest is the solvent. A composition ' +
      'of the raw material goes before it',
    example: null,
  })
  strength?: number | null;

  @ObjectField({
    ...{ ...OPTIONAL, type: () => NamedSubstanceDto },
    description: 'Required with `strength`, and only then',
    example: null,
  })
  solvent?: NamedSubstanceDto | null;

  @ListField({ type: () => CardDocumentDto, maxItems: MAX_ENTRIES })
  documents!: CardDocumentDto[];
}

/*
 * Responses
 */

export class ShownSupplierDto extends ResponseType(SupplierDto) {}
export class ShownDocumentDto extends ResponseType(CardDocumentDto) {}
class ShownSolventDto extends ResponseType(NamedSubstanceDto) {}

/** Entries as they are stored and shown. */
export type SupplierEntry = ShownSupplierDto;
export type CardDocument = ShownDocumentDto;
export type Solvent = ShownSolventDto;

export class ShownCardDto extends PickType(ResponseType(CardDto), ['density', 'strength']) {
  @ApiProperty({ format: 'uuid', description: 'The ingredient' })
  ingredientId!: string;

  @ApiProperty({ type: [ShownSupplierDto] })
  suppliers!: ShownSupplierDto[];

  @ApiProperty({ type: ShownSolventDto, nullable: true, description: 'The rest of it' })
  solvent!: ShownSolventDto | null;

  @ApiProperty({ type: [ShownDocumentDto] })
  documents!: ShownDocumentDto[];
}

export class DocumentsQuery extends PageQuery {
  @QueryTextField({
    max: 10,
    rule: (value) => (isDay(value) ? undefined : text('field.not-a-day')),
    description: 'Documents whose last day is before this one; default: all that expire',
    example: '2027-01-01',
  })
  expiresBefore?: string;
}

export class ListedDocumentDto extends IntersectionType(
  ShownDocumentDto,
  PickType(ShownCardDto, ['ingredientId']),
  PickType(IngredientDto, ['inciName', 'chineseName']),
) {}

/*
 * Rows of files
 */

class CardRowFields {
  @ObjectField({ type: () => SupplierDto, ...OPTIONAL, description: 'A supplier with a price' })
  supplier?: SupplierDto | null;

  @ObjectField({ type: () => CardDocumentDto, ...OPTIONAL, example: null })
  document?: CardDocumentDto | null;
}

/** A price, a document, other facts of a card, or several of them. */
export class CardRowDto extends IntersectionType(
  PickType(RowReferenceFields, ['ingredientId', 'ingredient']),
  CardRowFields,
  PickType(CardDto, ['density', 'strength', 'solvent']),
) {}

export class ImportCardsQuery extends OmitType(ImportQuery, ['partial']) {}

export class ExportedCardsDto {
  @ApiProperty({ type: [CardRowDto], description: 'By INCI name; an import takes them back' })
  rows!: CardRowDto[];
}

export class ImportedCardsDto {
  @ApiProperty({ description: 'False for a dry run' })
  applied!: boolean;

  @ApiProperty({ type: 'integer', description: 'Raw materials whose cards the rows fill', example: 1 })
  ingredients!: number;

  @ApiProperty({ type: [String], description: 'Which columns and rows were not read', example: [] })
  notes!: string[];
}
