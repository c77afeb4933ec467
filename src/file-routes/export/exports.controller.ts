import { applyDecorators, Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/current-user.decorator';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { ExportQuery, FormulaExportQuery } from './export.dto';
import { ExportService } from './export.service';
import { FILE_TYPES, SendsFiles } from './sends-files';

const AnswersFile = () =>
  applyDecorators(
    ApiOkResponse({
      description: 'As JSON, or as a file',
      content: {
        [FILE_TYPES.json]: {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { type: 'array', items: { type: 'object' } } },
          },
        },
        [FILE_TYPES.csv]: { schema: { type: 'string' } },
        [FILE_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
      },
    }),
  );

const ONE_AT_A_TIME =
  'The answer is written as it is read, one export per client at a time; if it cannot be completed, the connection breaks.';

@ApiTags('files')
@Controller('ext/export')
@UseLane('none')
export class ExportsController {
  constructor(
    private readonly exports: ExportService,
    private readonly sender: SendsFiles,
  ) {}

  @Get('formulas')
  @ApiOperation({
    summary: 'All formulas that you may read, as JSON or as a file with a row for each line',
    description: `In the order of their creation. Each formula is as of one moment, and not all of them as of the same. ${ONE_AT_A_TIME}`,
  })
  @AnswersFile()
  formulas(
    @User() user: CurrentUser,
    @Query() { format, ...query }: FormulaExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.sender.send(response, 'formulas', format, () =>
      this.exports.pieces(user, 'formulas', format, query),
    );
  }

  @Get('ingredients')
  @ApiOperation({
    summary: 'All ingredients that you may read, as JSON or as a file that an import takes back',
    description: `By INCI name. One that is renamed meanwhile can be missing or twice. ${ONE_AT_A_TIME}`,
  })
  @AnswersFile()
  ingredients(@User() user: CurrentUser, @Query() { format }: ExportQuery, @Res() response: Response) {
    return this.sender.send(response, 'ingredients', format, () =>
      this.exports.pieces(user, 'ingredients', format),
    );
  }

  @Get('colors')
  @ApiOperation({
    summary: 'All stored colours that you may read, as JSON or as a file that an import takes back',
    description: `By name. One that is renamed meanwhile can be missing or twice. ${ONE_AT_A_TIME}`,
  })
  @AnswersFile()
  colors(@User() user: CurrentUser, @Query() { format }: ExportQuery, @Res() response: Response) {
    return this.sender.send(response, 'colors', format, () => this.exports.pieces(user, 'colors', format));
  }
}
