import { ApiProperty } from '@nestjs/swagger';
import { FILE_FORMATS, type FileFormat } from '../writing/file-pieces';
import {
  QueryEnumField,
  QueryIntegerField,
  type QuerySwitch,
  QuerySwitchField,
  QueryTextField,
} from '../../platform/validation/query-fields';

/** How a file is read and what happens to its rows. */
export class ImportQuery {
  @QuerySwitchField({ description: 'Only report; write nothing' })
  dryRun: QuerySwitch = 'false';

  @QuerySwitchField({
    description:
      'Import the other rows even if some are refused. By default, one refused row prevents the entire import',
  })
  partial: QuerySwitch = 'false';

  @QueryTextField({ max: 100, description: 'Of an XLSX file: the name of the sheet', example: '' })
  sheet?: string;

  @QueryTextField({
    max: 40,
    description:
      'Encoding of a CSV file: gbk, big5, windows-1252 …; default: detected, or the charset of the body',
    example: '',
  })
  encoding?: string;

  @QueryIntegerField({
    min: 1,
    max: 1000,
    description: 'Line of the header; default: found by its names',
  })
  headerRow?: number;

  @QueryTextField({
    max: 2000,
    description: 'Fields of columns: `column=field`, separated by semicolons; `column=` ignores the column',
    example: '',
  })
  map?: string;
}

/** How the records of an export are written. */
export class ExportQuery {
  @QueryEnumField({ values: FILE_FORMATS, default: 'json', description: 'Of the file' })
  format: FileFormat = 'json';
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
    description: 'Path of a CSV file with these rows and the reasons',
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
