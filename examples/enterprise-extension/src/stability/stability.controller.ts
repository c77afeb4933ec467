import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  ApiPage,
  ApiRecord,
  type CurrentUser,
  page,
  PageQuery,
  PathId,
  record,
  Roles,
  text,
  User,
  UseLane,
} from 'formula-development-service';
import { ResultDto, StabilityTestDto, StartTestDto } from './stability-test.dto';
import { HAS_RESULT, NO_SUCH_TEST, NO_TEAM, StabilityService } from './stability.service';

// #region controller
@ApiTags('stability')
@Controller('ext/stability-tests')
@UseLane('short')
export class StabilityController {
  constructor(private readonly tests: StabilityService) {}

  /** The tests of the caller's team, the next due first. */
  @Get()
  @ApiPage(StabilityTestDto)
  async list(@User() user: CurrentUser, @Query() query: PageQuery) {
    return page(await this.tests.list(user, query), query);
  }

  /** One test. */
  @Get(':id')
  @ApiRecord(StabilityTestDto)
  @ApiErrors({ 404: NO_SUCH_TEST })
  async get(@User() user: CurrentUser, @Param('id', PathId) id: string) {
    return record(await this.tests.get(user, id));
  }

  /** Starts a test of a formula. */
  @Post()
  @ApiRecord(StabilityTestDto, 201)
  @ApiErrors({ 404: text('formula.not-found'), 409: NO_TEAM })
  async start(@User() user: CurrentUser, @Body() input: StartTestDto) {
    return record(await this.tests.start(user, input));
  }

  /** Notes a test's result. */
  @Roles('engineer', 'admin') // others are answered 403, before the body is read
  @Put(':id/result')
  @ApiRecord(StabilityTestDto)
  @ApiErrors({ 404: NO_SUCH_TEST, 409: HAS_RESULT })
  async finish(@User() user: CurrentUser, @Param('id', PathId) id: string, @Body() { result }: ResultDto) {
    return record(await this.tests.finish(user, id, result));
  }
}
// #endregion
