import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { page, record } from '../../../common/http/envelope';
import { PathId } from '../../../common/http/path-id';
import { Roles } from '../../../common/http/roles.decorator';
import { ApiDeleted, ApiErrors, ApiPage, ApiRecord } from '../../../common/openapi/responses';
import { PageQuery } from '../../../common/pagination';
import { text } from '../../../common/texts/text';
import { UseLane } from '../../../concurrency/lane.decorator';
import { EditionDto, LimitDto } from './limit-editions.dto';
import { LimitsService } from './limits.service';

const NOT_FOUND = text('limits.edition-not-found');

@ApiTags('limits')
@Controller('ext/limits/editions')
@UseLane('short')
export class LimitEditionsController {
  constructor(private readonly limits: LimitsService) {}

  @Get()
  @ApiOperation({ summary: 'Tables of limits, the one imported last first, paged' })
  @ApiPage(EditionDto)
  async list(@Query() query: PageQuery) {
    return page(await this.limits.listEditions(query), query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'One table of limits, without its limits' })
  @ApiRecord(EditionDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Param('id', PathId) id: string) {
    return record(await this.limits.getEdition(id));
  }

  @Get(':id/limits')
  @ApiOperation({ summary: 'The limits of a table in the order of the file, paged' })
  @ApiPage(LimitDto)
  @ApiErrors({ 404: NOT_FOUND })
  async listLimits(@Param('id', PathId) id: string, @Query() query: PageQuery) {
    return page(await this.limits.list(id, query), query);
  }

  @Delete(':id')
  @HttpCode(204)
  @Roles('admin')
  @ApiOperation({ summary: 'Delete a table of limits with its limits (admins only)' })
  @ApiDeleted()
  @ApiErrors({ 404: NOT_FOUND })
  async delete(@Param('id', PathId) id: string): Promise<void> {
    await this.limits.deleteEdition(id);
  }
}
