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
import { COLOR_FILE } from './color-columns';
import { ColorImportService } from './color-import.service';

const EXAMPLE = `name,L,a,b,measuredL,measuredA,measuredB,deltaE,composition
口红 试样 1,42.5,48.2,21.7,42.9,47.6,22.1,0.6,CI 15850: 7.8; CI 77491: 2.2
`;

@ApiTags('files')
@Controller('ext')
export class ColorFilesController {
  constructor(
    private readonly files: FileTransferService,
    private readonly colors: ColorImportService,
  ) {}

  @ImportsFile('colors', EXAMPLE, {
    summary: 'Create and update stored colours from a CSV, XLSX or JSON file',
    description: 'A row updates the colour of its id or name, or creates it. An empty cell changes nothing.',
  })
  async import(
    @User() user: CurrentUser,
    @Query() query: ImportQuery,
    @Res({ passthrough: true }) response: Response,
    @UploadedFile() file?: ReceivedFile,
  ) {
    const request = { reading: COLOR_FILE };
    return record(await this.files.import(user, { file, response }, query, this.colors, request));
  }

  @ExportsFile('colors', {
    summary: 'Export all stored colours that you may read, as JSON or as a file that an import takes back',
    description: 'By name. A colour that is renamed during the export can be missing or appear twice.',
  })
  export(@User() user: CurrentUser, @Query() query: ExportQuery, @Res() response: Response): Promise<void> {
    return this.files.export(user, response, COLOR_FILE, this.colors, query);
  }
}
