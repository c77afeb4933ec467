import { Body, Controller, Get, Param, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/http/path-id';
import { taggedRecordText } from '../../platform/http/envelope';
import type { SignedInRequest } from '../../platform/http/route-decorators';
import { ApiErrors, ApiIfMatch, ApiTaggedRecord } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { ProfileDto, ReplaceProfileDto } from './profile.fields';
import { ProfilesService } from './profiles.service';

const NOT_FOUND = text('formula.not-found');
const NO_NAME = faultOf('mixedWith', text('profile.formula-or-name'));
const WRONG = [NOT_FOUND, text('profile.mixed-with-itself')].map((fault) =>
  faultOf('mixedWith.formulaId', fault),
);

@ApiTags('profiles')
@Controller('ext/formulas')
@UseLane('formulas')
export class ProfileController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get(':id/profile')
  @ApiOperation({
    summary: 'Get the profile of the product that a formula is for',
    description:
      'Labels, screenings, costs, batch sheets and lists use it where a request does not say otherwise.',
  })
  @ApiTaggedRecord(ProfileDto)
  @ApiErrors({ 404: NOT_FOUND })
  async get(@Req() request: SignedInRequest, @Param('id', PathId) id: string) {
    return taggedRecordText(request, await this.profiles.get(request.user, id));
  }

  @Put(':id/profile')
  @ApiOperation({
    summary: 'Replace the profile of a product; fields that are left out are empty',
    description: 'Makes no version, and does not change `updatedAt` of the formula.',
  })
  @ApiIfMatch()
  @ApiTaggedRecord(ProfileDto)
  @ApiErrors({
    400: [NO_NAME, ...WRONG],
    403: text('access.denied'),
    404: NOT_FOUND,
    412: text('profile.changed'),
  })
  async replace(
    @Req() request: SignedInRequest,
    @Param('id', PathId) id: string,
    @Body() input: ReplaceProfileDto,
  ) {
    const { user, headers } = request;
    return taggedRecordText(request, await this.profiles.replace(user, id, input, headers['if-match']));
  }
}
