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
import { currencyNamed, kilogramsOf } from '../price-unit';
import { RowReferenceFields, SubstanceFields } from '../raw-materials/raw-material.dto';

const MAX_NAME = 200;
/** Most suppliers, and most documents, of one card. */
export const MAX_ENTRIES = 100;

const unitFault = (unit: string) => {
  const mass = kilogramsOf(unit, 1);
  return 'reason' in mass || unit.includes('/') ? text('card.not-a-unit') : undefined;
};

const currencyFault = (name: string) =>
  currencyNamed(name) === undefined ? text('field.not-a-currency') : undefined;

/** A name or sign of a currency, of which `currencyNamed` is stored. */
export const CurrencyField = (options: FieldOptions & { example?: string }) =>
  TextField({ max: 10, notBlank: true, rule: currencyFault, example: 'CNY', ...options });

export const DensityField = () =>
  NumberField({
    ...{ min: 0.1, max: 25 },
    presence: 'optional',
    description: 'Kilograms per litre, which are grams per mL',
    example: 0.98,
  });

/** A supplier with a price. A further price of the supplier is an entry of its own: the history of the price. */
export class SupplierFields {
  @TextField({ max: MAX_NAME, trim: true, description: 'The supplier', example: '某某化工' })
  name!: string;

  @TextField({
    max: MAX_NAME,
    trim: true,
    presence: 'optional',
    description: "The laboratory's or the supplier's code of the raw material",
    example: 'RM-0101',
  })
  code?: string | null;

  @TextField({ max: MAX_NAME, trim: true, presence: 'optional', example: 'Pricerine 9091' })
  tradeName?: string | null;

  @NumberField({
    ...{ min: 0, max: 1_000_000_000 },
    presence: 'optional',
    description: '`currency` per `unit`',
    example: 12.5,
  })
  price?: number | null;

  @CurrencyField({
    presence: 'optional',
    description: 'Code or sign; without it the price is in the currency of the exchange rates',
  })
  currency?: string | null;

  @TextField({
    max: 50,
    trim: true,
    presence: 'optional',
    default: 'kg',
    notBlank: true,
    rule: unitFault,
    description: 'Mass or volume that the price is for; a volume needs the density',
    example: 'kg',
  })
  unit?: string | null;

  @TextField({ max: 100, trim: true, presence: 'optional', example: '25 kg' })
  minimumOrder?: string | null;

  @DayField({ presence: 'optional', description: 'Day of the price', example: '2026-11-02' })
  date?: string | null;

  @BooleanField({
    presence: 'optional',
    default: false,
    description: 'True for at most one entry, whose code and trade name batch sheets print',
    example: true,
  })
  preferred?: boolean | null;
}

const DOCUMENT_KINDS = ['specification', 'safety-data-sheet', 'certificate', 'statement', 'other'] as const;

export class DocumentFields {
  @EnumField({ values: DOCUMENT_KINDS, enumName: 'CardDocumentKind', example: 'certificate' })
  kind!: (typeof DOCUMENT_KINDS)[number];

  @TextField({ max: MAX_NAME, trim: true, example: 'RSPO Mass Balance' })
  title!: string;

  @TextField({
    max: 1000,
    trim: true,
    presence: 'optional',
    description: 'Address of the document. The service does not open it',
    example: 'https://example.com/rspo.pdf',
  })
  address?: string | null;

  @DayField({ presence: 'optional', description: 'Last day on which it is valid', example: '2027-03-31' })
  validUntil?: string | null;
}

const SOLVENT = ['inciName', 'chineseName', 'casNumber', 'ecNumber'] as const;

class SupplierDto extends SupplierFields {}
class SolventDto extends PickType(SubstanceFields, SOLVENT) {}
class CardDocumentDto extends DocumentFields {}

export class CardDto {
  @ListField({
    type: () => SupplierDto,
    maxItems: MAX_ENTRIES,
    description: 'In this order; an entry for each price',
  })
  suppliers!: SupplierDto[];

  @DensityField()
  density?: number | null;

  @NumberField({
    moreThan: 0,
    max: 99.9999,
    presence: 'optional',
    description:
      'Percent of the raw material that is the substance of its INCI name; the rest is the solvent. A composition ' +
      'of the raw material goes before it',
    example: null,
  })
  strength?: number | null;

  @ObjectField({
    type: () => SolventDto,
    presence: 'optional',
    description: 'Required with `strength`, and only then',
    example: null,
  })
  solvent?: SolventDto | null;

  @ListField({ type: () => CardDocumentDto, maxItems: MAX_ENTRIES })
  documents!: CardDocumentDto[];
}

/*
 * Responses
 */

export class ShownSupplierDto extends ResponseType(SupplierFields) {}
export class ShownDocumentDto extends ResponseType(DocumentFields) {}
class ShownSolventDto extends PickType(ResponseType(SubstanceFields), SOLVENT) {}

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

export class ListedDocumentDto extends ShownDocumentDto {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;
}

/*
 * Rows of files: one for each price
 */

class CardRowFields {
  @TextField({ max: MAX_NAME, trim: true, example: '某某化工' })
  supplier!: string;

  @EnumField({
    values: ['yes', 'no'],
    presence: 'optional',
    description: 'Default: yes for the newest price of the supplier that is preferred',
    example: 'yes',
  })
  preferred?: 'yes' | 'no' | null;
}

export class CardRowDto extends IntersectionType(
  PickType(RowReferenceFields, ['ingredientId', 'ingredient']),
  CardRowFields,
  OmitType(SupplierFields, ['name', 'preferred']),
  PickType(CardDto, ['density']),
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
}
