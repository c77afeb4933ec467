import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  ApiRecord,
  type CurrentUser,
  IdField,
  NotFoundError,
  ownText,
  record,
  ResponseType,
  Roles,
  TextField,
  User,
} from 'formula-development-service';
import { TeamsService } from './teams.service';

class MembershipDto {
  @TextField({ max: 200, trim: true, example: 'ann' })
  username!: string;

  @TextField({ max: 100, trim: true, example: 'Skin care' })
  team!: string;
}

class TeamFields {
  @IdField()
  id!: string;

  @TextField({ max: 100, example: 'Skin care' })
  name!: string;
}

class TeamDto extends ResponseType(TeamFields) {}

const NO_TEAM = ownText('teams.none', 'You are in no team');
const NO_USER = ownText('teams.no-such-user', 'Nobody has this username');

@ApiTags('teams')
@Controller('ext/teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  /** The caller's team. */
  @Get('mine')
  @ApiRecord(TeamDto)
  @ApiErrors({ 404: NO_TEAM })
  async mine(@User() user: CurrentUser) {
    const team = await this.teams.teamOf(user.id);
    if (!team) throw new NotFoundError(NO_TEAM);
    return record(team);
  }

  /** Makes somebody a member of a team. */
  @Roles('admin')
  @Post('members')
  @HttpCode(200)
  @ApiRecord(TeamDto)
  @ApiErrors({ 404: NO_USER })
  async join(@Body() { username, team }: MembershipDto) {
    return record(await this.teams.join(username, team));
  }
}
