import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { NotFoundError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/route-decorators';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { text } from '../../platform/texts/text';
import { RefusalsRepository } from './refusals.repository';

const NOT_FOUND = text('import.refused-rows-not-found');

@ApiTags('files')
@Controller('ext/import')
export class RefusedRowsController {
  constructor(private readonly refusals: RefusalsRepository) {}

  @Get('refused/:id')
  @UseLane('short')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'imports_refusedRows',
    summary: 'Get the refused rows of your import with their reasons, for an hour after it',
  })
  @ApiOkResponse({ description: 'A CSV file', content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiErrors({ 404: NOT_FOUND })
  async refusedRows(@User() user: CurrentUser, @Param('id', PathId) id: string): Promise<StreamableFile> {
    const found = await this.refusals.find(user.id, id);
    if (found === undefined) throw new NotFoundError(NOT_FOUND);
    const content = Buffer.from(found);
    return new StreamableFile(content, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="refused.csv"',
      length: content.length,
    });
  }
}
