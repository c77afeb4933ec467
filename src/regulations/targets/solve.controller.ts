import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { record } from '../../platform/http/envelope';
import { PathId } from '../../platform/http/path-id';
import { User } from '../../platform/http/route-decorators';
import { ApiErrors, ApiRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { faultOf, text } from '../../platform/texts/text';
import { VersionQuery } from '../../formulas/version-number';
import { TOO_MANY } from '../screening/screening.controller';
import { SolutionDto, SolveDto } from './solve.dto';
import { SolveService } from './solve.service';
import { VERSION_NOT_FOUND } from '../../formulas/formula-errors';

const NOT_FOUND = [...VERSION_NOT_FOUND, text('limits.edition-not-found')];
const UNKNOWN = [
  faultOf('keep.0', text('solve.not-in-version')),
  faultOf('maxCost', text('solve.cost-unknown', { count: 1, names: ['Squalane'] })),
];
const UNSOLVED = [text('solve.too-demanding'), text('solve.not-rounded', { decimals: 3 })];

@ApiTags('analysis')
@Controller('ext/formulas')
@UseLane('solver')
export class SolveController {
  constructor(private readonly solutions: SolveService) {}

  @Post(':id/solve')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Find the percentages that fulfil wishes at least cost or with least change; nothing is written',
    description:
      'All lines make exactly 100 %. Percentages are rounded to the decimals of the version and the bounds, to 3 to 6, ' +
      'and every wish is then verified in exact decimals. A line that stays as it is and has more decimals is rounded ' +
      'to 6. Where the wishes exclude each other, `conflict` names some of which none can be left out.',
  })
  @ApiRecord(SolutionDto)
  @ApiErrors({ 400: UNKNOWN, 404: NOT_FOUND, 409: [...UNSOLVED, ...TOO_MANY] })
  async solve(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
    @Query() { version }: VersionQuery,
    @Body() input: SolveDto,
  ) {
    return record(await this.solutions.solve(user, id, input, version));
  }
}
