import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { type SignedInRequest, User } from '../../platform/http/route-decorators';
import { AnswersJsonText, page, taggedRecordText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiDeleted, ApiErrors, ApiPage, ApiRecord } from '../../platform/openapi/responses';
import { PageQuery } from '../../platform/common/pagination';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { FormulaDto } from '../formula.dto';
import { TrashedFormulaDto } from './trash.dto';
import { TrashService } from './trash.service';

const NOT_FOUND = text('trash.not-found');
const FORBIDDEN = text('access.denied');

@ApiTags('trash')
@Controller('ext/trash')
export class TrashController {
  constructor(private readonly trash: TrashService) {}

  @Get()
  @UseLane('formulas')
  @ApiOperation({
    summary: 'List the deleted formulas that can be restored, the latest first, paged',
    description:
      'An admin gets the formulas of all accounts, others only their own. If the access policy decides about each ' +
      'formula, `canRestore` is its decision.',
  })
  @ApiPage(TrashedFormulaDto)
  async list(@User() user: CurrentUser, @Query() query: PageQuery) {
    return page(await this.trash.list(user, query), query);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @UseLane('write')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Restore a deleted formula (its creator or an admin) as it was, with its id and all versions',
    description:
      'The formula loses its project if that no longer exists. `updatedAt` becomes the time of the restoration, so that `changedSince` finds it. If an ingredient has been deleted meanwhile, the answer is 409 and names it.',
  })
  @ApiRecord(FormulaDto)
  @ApiErrors({
    403: FORBIDDEN,
    404: NOT_FOUND,
    409: [
      text('trash.missing-ingredients', { names: 'Glycerin' }),
      text('trash.field-conflict', { tables: 'ext_dossiers' }),
    ],
  })
  async restore(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.trash.restore(request.user, id));
  }

  @Delete(':id')
  @HttpCode(204)
  @UseLane('formulas')
  @ApiOperation({ summary: 'Delete a formula in the trash permanently (its creator or an admin)' })
  @ApiDeleted()
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND })
  async remove(@User() user: CurrentUser, @Param('id', PathId) id: string): Promise<void> {
    await this.trash.remove(user, id);
  }
}
