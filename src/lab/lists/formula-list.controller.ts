import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../common/current-user';
import { InvalidInputError } from '../../common/errors/service-error';
import { User } from '../../common/http/current-user.decorator';
import { AnswersJsonText, pageText } from '../../common/http/envelope';
import { ApiErrors } from '../../common/openapi/responses';
import { text } from '../../common/texts/text';
import { UseLane } from '../../concurrency/lane.decorator';
import { ApiContractPage } from './contract-pages';
import { FormulaFilterQuery } from './formula-list.dto';
import { ListsService } from './lists.service';

const NO_TIME = InvalidInputError.of([{ field: 'changedSince', message: text('field.not-a-time') }]).text;
const NO_INGREDIENT = InvalidInputError.of([
  { field: 'minShare', message: text('list.share-without-ingredient') },
]).text;

@ApiTags('lists')
@Controller('ext/formulas')
@UseLane('search')
export class FormulaListController {
  constructor(private readonly lists: ListsService) {}

  @Get()
  @AnswersJsonText()
  @ApiOperation({
    summary: 'Formulas by project, ingredient and its share, category, creator and time of change',
    description:
      'All filters that are given hold. `search` finds among the formulas that they leave, and `category` is of an ' +
      'ingredient that the latest version contains.',
  })
  @ApiContractPage('ListedFormulaDto')
  @ApiErrors({ 400: [NO_TIME, NO_INGREDIENT] })
  async list(@User() user: CurrentUser, @Query() query: FormulaFilterQuery) {
    return pageText(await this.lists.listFormulas(user, query), query);
  }
}
