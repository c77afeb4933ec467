import { Body, Controller, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type SignedInRequest, User } from '../platform/http/route-decorators';
import type { CurrentUser } from '../platform/common/current-user';
import { record } from '../platform/http/envelope';
import { ApiErrors, ApiRecord } from '../platform/openapi/responses';
import { faultOf, text } from '../platform/texts/text';
import { AuthService } from './auth.service';
import { AccountDto, ChangePasswordDto, LoginDto, RegisterDto, SessionDto } from './credentials.dto';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @ApiOperation({ summary: 'Create an account and sign in' })
  @Public()
  @Post('register')
  @ApiRecord(SessionDto, 201)
  @ApiErrors({
    400: [text('auth.credentials-required'), text('auth.password-too-short')],
    403: text('access.denied'),
    409: text('auth.username-taken'),
    503: text('server.busy'),
  })
  async register(@Body() credentials: RegisterDto) {
    return record(await this.auth.register(credentials));
  }

  @ApiOperation({ summary: 'Sign in' })
  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiRecord(SessionDto)
  @ApiErrors({
    400: [text('auth.username-required'), text('auth.password-required')],
    401: text('auth.wrong-credentials'),
    503: text('server.busy'),
  })
  async login(@Body() credentials: LoginDto) {
    return record(await this.auth.login(credentials));
  }

  @ApiOperation({ summary: 'Who the token belongs to' })
  @Get('me')
  @ApiRecord(AccountDto)
  me(@Req() { user: { id, username, role } }: SignedInRequest) {
    return record({ id, username, role });
  }
}

const PASSWORD_FAULTS = [
  faultOf('oldPassword', text('auth.wrong-old-password')),
  faultOf('newPassword', text('field.required')),
];

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
  @ApiRecord(SessionDto)
  @ApiErrors({ 400: PASSWORD_FAULTS, 503: text('server.busy') })
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
