import { IntersectionType } from '@nestjs/swagger';
import { type QuerySwitch, QuerySwitchField, QueryTextField } from '../../platform/validation/query-fields';
import { ResponseType, ShownField } from '../../platform/validation/record-fields';
import type { DocumentLanguage } from '../../documents/document';
import { LanguageField, requestLanguage } from '../../documents/language-field';
import { EditionDto, MAX_REFUSED } from './limit.entity';
import { REFUSAL_CODES, type RefusalCode } from '../regulations.texts';

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

  @QuerySwitchField({
    description: 'true: import the other rows although some are refused',
  })
  partial: QuerySwitch = 'false';

  @QueryTextField({ max: 100, description: 'Of a CSV file, where it is not UTF-8', example: '' })
  encoding?: string;

  @QueryTextField({ max: 100, description: 'Of an XLSX file: the name of the sheet', example: '' })
  sheet?: string;

  @LanguageField('Language of the reasons')
  lang: DocumentLanguage = requestLanguage();
}

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

  @ShownField({ enum: REFUSAL_CODES, enumName: 'LimitRefusal', example: 'two-numbers' })
  reason!: RefusalCode;

  @ShownField({ type: String, description: 'The reason in words', example: '限值包含多个数字' })
  message!: string;
}

export class RefusedLimitRowDto extends ResponseType(RefusedRowFields) {}

class ImportedEditionFields {
  @ShownField({ type: 'integer', description: 'Limits whose product types are unknown', example: 3 })
  unknownScopes!: number;

  @ShownField({ type: [RefusedLimitRowDto], description: `The first ${MAX_REFUSED}` })
  refused!: RefusedLimitRowDto[];
}

export class ImportedEditionDto extends IntersectionType(EditionDto, ResponseType(ImportedEditionFields)) {}
