import { ApiProperty } from '@nestjs/swagger';
import { QueryEnumField, QueryIntegerField, QueryTextField } from '../../platform/validation/query-fields';

const FLAGS = ['true', 'false'] as const;
type Flag = (typeof FLAGS)[number];

export const MATCHES = ['inci', 'chinese', 'inci+supplier', 'cas'] as const;
export type Match = (typeof MATCHES)[number];

/** How a file is read and what happens to its rows. */
export class ImportQuery {
  @QueryEnumField({ values: FLAGS, default: 'false', description: 'Only say what would be done' })
  dryRun: Flag = 'false';

  @QueryEnumField({
    values: FLAGS,
    default: 'false',
    description:
      'Import the other rows although some are refused; else one refused row keeps all of them out',
  })
  partial: Flag = 'false';

  @QueryTextField({ max: 100, description: 'Of an XLSX file: the name of the sheet', example: '' })
  sheet?: string;

  @QueryTextField({
    max: 40,
    description: 'Of a CSV file: gbk, big5, windows-1252 …; default: as certain, or the charset of the body',
    example: '',
  })
  encoding?: string;

  @QueryIntegerField({
    min: 1,
    max: 1000,
    description: 'The line that is the header; default: found by its names',
  })
  headerRow?: number;

  @QueryTextField({
    max: 2000,
    description: 'Fields of columns, `column=field` with semicolons between them; `column=` leaves one out',
    example: '',
  })
  map?: string;
}

export class IngredientImportQuery extends ImportQuery {
  @QueryEnumField({
    values: MATCHES,
    description:
      'How a row finds its ingredient; default: by INCI name, and by supplier where the file has that column',
  })
  match?: Match;
}

export class FormulaImportQuery extends ImportQuery {
  @QueryEnumField({
    values: FLAGS,
    default: 'false',
    description:
      'Create missing ingredients, unless the catalogue or the shipped list of everyday names knows the name; else they are faults',
  })
  createIngredients: Flag = 'false';

  @QueryTextField({
    max: 200,
    description: 'Name of the formula, where the file has no such column',
    example: '',
  })
  name?: string;
}

class ImportFaultDto {
  @ApiProperty({ type: 'integer', description: 'Of the file, the header counted', example: 3 })
  row!: number;

  @ApiProperty({ type: String, nullable: true, description: 'As the file calls it; null: the row as such' })
  column!: string | null;

  @ApiProperty({ type: String, nullable: true })
  value!: string | null;

  @ApiProperty({ example: '"abc" is not a number' })
  reason!: string;
}

class RefusedRowsDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    description: 'Where these rows are, as a CSV file with the reasons',
    example: '/api/ext/import/refused/…',
  })
  path!: string;

  @ApiProperty({ type: 'integer', example: 60 })
  minutes!: number;
}

export class ImportAnswerDto {
  @ApiProperty({ description: 'False for a dry run, and where a refused row prevented the import' })
  applied!: boolean;

  @ApiProperty({ type: 'integer', description: 'Below the header' })
  rows!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Records created or, where nothing was applied, to be created',
  })
  created!: number;

  @ApiProperty({ type: 'integer' })
  updated!: number;

  @ApiProperty({ type: 'integer' })
  unchanged!: number;

  @ApiProperty({ type: 'integer', description: 'Rows in whose place a later row of the same record counts' })
  replaced!: number;

  @ApiProperty({ type: 'integer', description: 'Rows' })
  refused!: number;

  @ApiProperty({
    type: [ImportFaultDto],
    description:
      'The first 200, without rows that are only refused because another one of their formula has a fault',
  })
  faults!: ImportFaultDto[];

  @ApiProperty({ type: [String], description: 'Worth knowing, and no reason to keep a row out' })
  notes!: string[];

  @ApiProperty({ type: RefusedRowsDto, nullable: true, description: 'null where no row was refused' })
  refusedRows!: RefusedRowsDto | null;
}
