import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/current-user.decorator';
import { record } from '../../platform/http/envelope';
import { ApiRecord } from '../../platform/openapi/responses';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { MatchesDto, NearestQuery, MOST_COMPARED, NEAR_DELTA_E } from './matches.dto';
import { MatchesService } from './matches.service';

@ApiTags('colour formulas')
@Controller('ext/color')
@UseLane('short')
export class MatchesController {
  constructor(private readonly matches: MatchesService) {}

  @Get('match')
  @ApiOperation({
    summary: 'The stored colours nearest to a measurement, with a note where none is near',
    description:
      `The matches of GET /api/color/formulas/match. A colour is near up to a CIEDE2000 difference of ${NEAR_DELTA_E}. ` +
      `With unique=true, duplicates are folded among the nearest ${MOST_COMPARED}; a note says so if that was not enough.`,
  })
  @ApiRecord(MatchesDto)
  async match(@User() user: CurrentUser, @Query() query: NearestQuery) {
    return record(await this.matches.match(user, query));
  }
}
