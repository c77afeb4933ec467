import { QueryEnumField, QueryTextField } from '../../platform/validation/query-fields';
import { IdField, ResponseType, ShownField, TimestampField } from '../../platform/validation/record-fields';
import type { DocumentLanguage } from '../../documents/document';
import { LanguageField, requestLanguage } from '../../documents/language-field';
import { LIMIT_KINDS, type LimitKind, PRODUCT_TYPES, type ProductType } from '../limit';
import { REFUSALS, type RefusalCode } from './refusals.words';

/** Most characters of the name of an edition. */
const MAX_EDITION_NAME = 200;

export class ImportLimitsQuery {
  @QueryTextField({
    max: MAX_EDITION_NAME,
    presence: 'required',
    trim: true,
    description: 'Name of the edition, not used yet',
    example: 'House limits 2026-08',
  })
  edition!: string;

  @QueryEnumField({
    values: ['true', 'false'],
    default: 'false',
    description: 'true: import the other rows although some are refused',
  })
  partial: 'true' | 'false' = 'false';

  @QueryTextField({ max: 100, description: 'Of a CSV file, where it is not UTF-8', example: '' })
  encoding?: string;

  @QueryTextField({ max: 100, description: 'Of an XLSX file: the name of the sheet', example: '' })
  sheet?: string;

  @LanguageField('Language of the reasons')
  lang: DocumentLanguage = requestLanguage();
}

class EditionFields {
  @IdField({ description: 'Of the edition' })
  id!: string;

  @ShownField({ type: String, example: 'EU 2026-08' })
  name!: string;

  @ShownField({ type: [String], description: 'Of its limits, in small letters', example: ['eu'] })
  regions!: string[];

  @ShownField({
    type: 'integer',
    description: 'Limits; a row of a file can have several',
    example: 410,
  })
  rowCount!: number;

  @ShownField({ type: 'integer', description: 'Rows of the file that were not imported', example: 0 })
  refusedCount!: number;

  @TimestampField()
  importedAt!: string;
}

export class EditionDto extends ResponseType(EditionFields) {}

class RefusedRowFields {
  @ShownField({
    type: 'integer',
    description: 'In the file, counted from 1, the header included',
    example: 17,
  })
  row!: number;

  @ShownField({ type: String, nullable: true, description: 'Name of the column', example: 'limitPercent' })
  column!: string | null;

  @ShownField({
    type: String,
    nullable: true,
    description: 'The cell, up to 200 characters',
    example: '> 0,1 % ≤ 6 %',
  })
  value!: string | null;

  @ShownField({ enum: Object.keys(REFUSALS), enumName: 'LimitRefusal', example: 'two-numbers' })
  reason!: RefusalCode;

  @ShownField({ type: String, description: 'The reason in words', example: '限值包含多个数字' })
  message!: string;
}

export class RefusedLimitRowDto extends ResponseType(RefusedRowFields) {}

/** Most refused rows of an answer. */
export const MAX_REFUSED = 1000;

class ImportedEditionFields extends EditionFields {
  @ShownField({ type: 'integer', description: 'Limits whose product types are unknown', example: 3 })
  unknownScopes!: number;

  @ShownField({ type: [RefusedLimitRowDto], description: `The first ${MAX_REFUSED}` })
  refused!: RefusedLimitRowDto[];
}

export class ImportedEditionDto extends ResponseType(ImportedEditionFields) {}

class LimitFields {
  @IdField({ description: 'Of the limit' })
  id!: string;

  @IdField({ description: 'Of its edition' })
  editionId!: string;

  @ShownField({ type: String, example: 'eu' })
  region!: string;

  @ShownField({ type: String, example: 'V' })
  annex!: string;

  @ShownField({ type: String, example: '29' })
  entry!: string;

  @ShownField({ type: String, nullable: true, example: null })
  tier!: string | null;

  @ShownField({ type: String, description: 'As the table names it', example: '2-Phenoxyethanol' })
  substance!: string;

  @ShownField({ type: [String], example: ['PHENOXYETHANOL'] })
  inciNames!: string[];

  @ShownField({ type: [String], description: 'Not paired with the names', example: ['122-99-6'] })
  casNumbers!: string[];

  @ShownField({ enum: [...LIMIT_KINDS], enumName: 'LimitKind', example: 'permitted-only' })
  kind!: LimitKind;

  @ShownField({ type: String, nullable: true, description: 'As written', example: null })
  scope!: string | null;

  @ShownField({
    enum: [...PRODUCT_TYPES],
    enumName: 'ProductType',
    isArray: true,
    nullable: true,
    description: 'What the scope means; null: unknown',
    example: [...PRODUCT_TYPES],
  })
  productTypes!: ProductType[] | null;

  @ShownField({ type: String, nullable: true, description: 'A decimal', example: '1' })
  limitPercent!: string | null;

  @ShownField({ type: String, nullable: true, description: 'As written', example: '1.0 %' })
  limitText!: string | null;

  @ShownField({ type: String, nullable: true, description: 'The form that the limit counts', example: null })
  basis!: string | null;

  @ShownField({
    type: String,
    nullable: true,
    description: 'Percent of the basis in one percent of the substance; null: not known',
    example: null,
  })
  factor!: string | null;

  @ShownField({
    type: String,
    nullable: true,
    description: 'The substances of one group are summed against the largest limit of its rows',
    example: null,
  })
  sumGroup!: string | null;

  @ShownField({ type: String, nullable: true, example: 'preservative' })
  purpose!: string | null;

  @ShownField({ type: String, nullable: true, description: 'As written', example: null })
  conditions!: string | null;

  @ShownField({ type: String, nullable: true, description: 'First day', example: null })
  validFrom!: string | null;

  @ShownField({ type: String, nullable: true, description: 'Last day', example: null })
  validUntil!: string | null;

  @ShownField({ type: String, example: 'CosIng Annex V, last update 18/08/2026' })
  source!: string;
}

export class LimitDto extends ResponseType(LimitFields) {}
