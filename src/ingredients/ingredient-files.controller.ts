import { Controller, Query, Res, UploadedFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ExportQuery, ImportQuery } from '../files/http/file.dto';
import { ExportsFile, ImportsFile } from '../files/http/file-routes';
import { FileTransferService } from '../files/http/file-transfer.service';
import type { CurrentUser } from '../platform/common/current-user';
import type { ReceivedFile } from '../platform/http/accepts-file';
import { User } from '../platform/http/route-decorators';
import { record } from '../platform/http/envelope';
import { QueryEnumField } from '../platform/validation/query-fields';
import { INGREDIENT_FILE } from './ingredient-file';
import { IMPORT_EXAMPLE } from './ingredient-import.texts';
import { IngredientImportService } from './ingredient-import.service';

const MATCHES = ['inci', 'chinese', 'inci+supplier', 'cas'] as const;

class IngredientImportQuery extends ImportQuery {
  @QueryEnumField({
    values: MATCHES,
    description:
      'How a row finds its ingredient; default: by INCI name, and by supplier where the file has that column',
  })
  match?: (typeof MATCHES)[number];
}

@ApiTags('files')
@Controller('ext')
export class IngredientFilesController {
  constructor(
    private readonly files: FileTransferService,
    private readonly ingredients: IngredientImportService,
  ) {}

  @ImportsFile('ingredients', IMPORT_EXAMPLE, {
    summary: 'Create and update ingredients from a CSV, XLSX or JSON file',
    description:
      'A row updates the ingredient of its INCI name and supplier, or creates it. An empty cell changes nothing.',
  })
  async import(
    @User() user: CurrentUser,
    @Query() { match, ...query }: IngredientImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    const matched = match && INGREDIENT_FILE.matches![match];
    return record(
      await this.files.import(user, { file, response }, query, this.ingredients, {
        reading: matched ?? INGREDIENT_FILE,
        key: matched?.key,
      }),
    );
  }

  @ExportsFile('ingredients', {
    summary: 'Export all ingredients that you may read, as JSON or as a file that an import takes back',
    description:
      'By INCI name. An ingredient that is renamed during the export can be missing or appear twice.',
  })
  export(@User() user: CurrentUser, @Query() query: ExportQuery, @Res() response: Response): Promise<void> {
    return this.files.export(user, response, INGREDIENT_FILE, this.ingredients, query);
  }
}
