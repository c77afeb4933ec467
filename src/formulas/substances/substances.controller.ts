import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { AnswersJsonText, page, pageText } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { User } from '../../platform/http/route-decorators';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { text } from '../../platform/texts/text';
import { UsageQuery } from '../lists/lists.dto';
import {
  ListedSubstanceDto,
  SubstanceFormulaDto,
  SubstanceFormulasQuery,
  SubstancesQuery,
  UnknownFormulasDto,
  WhereUsedDto,
} from './substances.dto';
import { SubstancesService } from './substances.service';

@ApiTags('substances')
@Controller('ext')
@UseLane('reading')
export class SubstancesController {
  constructor(private readonly substances: SubstancesService) {}

  @Get('substances')
  @ApiOperation({
    summary: 'List the substances of the raw materials',
    description:
      'Substances are those of compositions, and raw materials without a composition by their own INCI names. A blend ' +
      'without a composition is none: its substances are not known. Those whose key equals or begins with the search ' +
      'come first, then by key.',
  })
  @ApiPage(ListedSubstanceDto)
  async search(@User() user: CurrentUser, @Query() query: SubstancesQuery) {
    return page(await this.substances.search(user, query), query);
  }

  @Get('substances/:key/formulas')
  @AnswersJsonText()
  @ApiOperation({
    summary: 'List the formulas that contain a substance, with its share and the lines it comes from',
    description:
      'The key is that of `GET /api/ext/substances`; any INCI name of the substance is also accepted. The greatest ' +
      'share comes first. Every version has a record of its own. `unknown` says how many formulas have parts that ' +
      'are not known: a formula that is not listed may contain the substance in such a part.',
  })
  @ApiParam({ name: 'key', example: 'phenoxyethanol' })
  @ApiPage(SubstanceFormulaDto, { substance: ListedSubstanceDto, unknown: UnknownFormulasDto })
  @ApiErrors({ 404: text('substance.not-found') })
  async listFormulas(
    @User() user: CurrentUser,
    @Param('key') key: string,
    @Query() query: SubstanceFormulasQuery,
  ) {
    const { formulas, ...more } = await this.substances.formulasOf(user, key, query);
    return pageText(formulas, query, more);
  }

  @Get('ingredients/:id/where-used')
  @AnswersJsonText()
  @ApiOperation({
    summary:
      'List the formulas that contain an ingredient directly, or its substance through other raw materials',
    description:
      'Every version has a record of its own. An ingredient that is called a blend is no substance, so only its own ' +
      'lines are found.',
  })
  @ApiPage(WhereUsedDto, { unknown: UnknownFormulasDto })
  @ApiErrors({ 404: text('ingredient.not-found') })
  async whereUsed(@User() user: CurrentUser, @Param('id', PathId) id: string, @Query() query: UsageQuery) {
    const { formulas, ...more } = await this.substances.whereUsed(user, id, query);
    return pageText(formulas, query, more);
  }
}
