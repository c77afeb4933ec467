import { Body, Controller, HttpCode, Post, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuthService } from '../auth.service';
import { ChangePasswordDto } from '../credentials.dto';
import type { CurrentUser } from '../../platform/common/current-user';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { User } from '../../platform/http/route-decorators';
import { record } from '../../platform/http/envelope';
import { ApiErrors } from '../../platform/openapi/responses';
import { text } from '../../platform/texts/text';

/** The contract's answer to a login. Its class belongs to the service, which puts its schema into the document. */
const SESSION = {
  type: 'object' as const,
  required: ['data'],
  properties: { data: { $ref: '#/components/schemas/SessionDto' } },
};

const FAULTS = [
  { field: 'oldPassword', message: text('auth.wrong-old-password') },
  { field: 'newPassword', message: text('field.required') },
].map((fault) => InvalidInputError.of([fault]).text);

@ApiTags('people')
@Controller('ext/auth')
export class SessionsController {
  constructor(private readonly auth: AuthService) {}

  @Put('password')
  @ApiOperation({
    summary: 'Change the password; all tokens of the account end, and the answer has a new one',
    description:
      'A wrong old password is answered with 400, because the token stays valid. It counts as a failed login: too many are answered with 429.',
  })
  @ApiOkResponse({ description: 'OK', schema: SESSION })
  @ApiErrors({
    400: FAULTS,
    503: text('server.busy'),
  })
  async changePassword(@User() user: CurrentUser, @Body() passwords: ChangePasswordDto) {
    return record(await this.auth.changePassword(user, passwords));
  }

  @Post('logout')
  @HttpCode(204)
  @ApiOperation({
    summary: "Sign out everywhere; all tokens of the account end, including this request's",
  })
  @ApiNoContentResponse({ description: 'All tokens have ended' })
  async logout(@User() user: CurrentUser): Promise<void> {
    await this.auth.logout(user);
  }
}
