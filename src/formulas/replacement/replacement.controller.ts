import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { PERCENTAGE_SUM } from '../percentage-sum';
import { REPLACEMENT_LIMITS, ReplaceIngredientDto, ReplacementDto } from './replacement.dto';
import { ReplacementService } from './replacement.service';

const { formulas, lines, decisions } = REPLACEMENT_LIMITS;

const UNKNOWN = faultOf('by', text('ingredient.not-found'));
const INCOMPLETE = faultOf(
  'formulas',
  text('replacement.percentage-sum', { name: 'Cream', ...PERCENTAGE_SUM, sum: 99.4 }),
);
const CONFLICTS = [
  text('replacement.too-many-formulas', { max: formulas }),
  text('replacement.too-many-lines', { max: lines }),
  text('formula.changed-meanwhile'),
];

@ApiTags('replacement')
@Controller('ext/ingredients')
@UseLane('write')
export class ReplacementController {
  constructor(private readonly replacements: ReplacementService) {}

  @Post(':id/replace')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace an ingredient with another in the latest versions of formulas',
    description:
      'A dry run, which is the default, shows each formula after the replacement. Otherwise all formulas that you may ' +
      'change get a new version, or none does. A percentage times the factor is rounded half up to 15 significant ' +
      `digits, which a JSON number can hold. One request changes at most ${formulas} formulas with together ${lines} ` +
      `lines, and asks the access policy about at most ${decisions}.`,
  })
  @ApiRecord(ReplacementDto)
  @ApiErrors({ 400: [UNKNOWN, INCOMPLETE], 404: text('ingredient.not-found'), 409: CONFLICTS })
  async replace(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Body() input: ReplaceIngredientDto,
  ) {
    return record(await this.replacements.replace(user, id, input));
  }
}
