import { Controller, Query, Res, UploadedFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ExportQuery, ImportQuery } from '../../files/http/file.dto';
import { ExportsFile, ImportsFile } from '../../files/http/file-routes';
import { FileTransferService } from '../../files/http/file-transfer.service';
import type { CurrentUser } from '../../platform/common/current-user';
import type { ReceivedFile } from '../../platform/http/accepts-file';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { uuidFault } from '../../platform/validation/id-list';
import {
  QueryEnumField,
  type QuerySwitch,
  QuerySwitchField,
  QueryTextField,
} from '../../platform/validation/query-fields';
import { FormulaFileService } from './formula-file.service';
import { FORMULA_FILE, formulaFile, IMPORT_EXAMPLE } from './formula-file.words';
import { EXPORTED_VERSIONS, type ExportedVersions } from './formula-files.repository';

class FormulaImportQuery extends ImportQuery {
  @QuerySwitchField({
    description:
      'Create missing ingredients, unless the catalogue or the shipped list of everyday names knows the name; else they are faults',
  })
  createIngredients: QuerySwitch = 'false';

  @QueryTextField({
    max: 200,
    description: 'Name of the formula, where the file has no such column',
    example: '',
  })
  name?: string;
}

class FormulaExportQuery extends ExportQuery {
  @QueryEnumField({ values: EXPORTED_VERSIONS, default: 'current', description: 'Of each formula' })
  versions: ExportedVersions = 'current';

  @QueryTextField({ max: 36, rule: uuidFault, description: 'Only the formulas of this project', example: '' })
  projectId?: string;
}

@ApiTags('files')
@Controller('ext')
export class FormulaFilesController {
  constructor(
    private readonly files: FileTransferService,
    private readonly formulas: FormulaFileService,
  ) {}

  @ImportsFile('formulas', IMPORT_EXAMPLE, {
    summary: 'Create and revise formulas from a CSV, XLSX or JSON file with a row for each line',
    description:
      'The rows of the export, or the table of a laboratory: phase, ingredient, and percent or grams, or a volume of ' +
      'an ingredient whose card has a density. A formula whose ' +
      'id you may read gets a new version if it is different; any other is new, unless you have an equal one of its name. ' +
      'Ingredients are found by id, INCI name (with supplier) or Chinese name, and otherwise by what ' +
      '`POST /api/ext/ingredients/resolve` is certain of and by CAS number; notes say which. There is no `match`. ' +
      'Counts are formulas, `refused` rows.',
  })
  async import(
    @User() user: CurrentUser,
    @Query() { createIngredients, name, ...query }: FormulaImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    return record(
      await this.files.import(user, { file, response }, query, this.formulas, {
        reading: formulaFile(name),
        createMissing: createIngredients === 'true',
      }),
    );
  }

  @ExportsFile('formulas', {
    summary: 'Export all formulas that you may read, as JSON or as a file with a row for each line',
    description:
      'In the order of their creation. Each formula is consistent, but formulas can be read at different moments.',
  })
  export(
    @User() user: CurrentUser,
    @Query() query: FormulaExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.files.export(user, response, FORMULA_FILE, this.formulas, query);
  }
}
