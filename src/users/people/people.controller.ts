import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../../platform/common/current-user';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { ApiErrors, ApiList, ApiRecord } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { ID_LIST_FAULTS, idsOf } from '../../platform/validation/id-list';
import { MeDto, UserNameDto, UsersQuery } from './people.dto';
import { PeopleService } from './people.service';

@ApiTags('people')
@Controller('ext')
@UseLane('short')
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  @Get('me')
  @ApiOperation({ summary: 'Get the signed-in account and its rights' })
  @ApiRecord(MeDto)
  async me(@User() user: CurrentUser) {
    return record(await this.people.me(user));
  }

  @Get('users')
  @ApiOperation({
    summary: 'Get the names of accounts by their ids, ordered by name',
    description: 'Use it for the ids under `createdBy`. Disabled accounts are included.',
  })
  @ApiList(UserNameDto)
  @ApiErrors({
    400: ID_LIST_FAULTS,
    403: text('access.denied'),
  })
  async names(@User() user: CurrentUser, @Query() { ids }: UsersQuery) {
    return record(await this.people.names(user, idsOf(ids)));
  }
}
