import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type SignedInRequest } from '../platform/http/route-decorators';
import { record } from '../platform/http/envelope';
import { ApiErrors, ApiRecord } from '../platform/openapi/responses';
import { text } from '../platform/texts/text';
import { AuthService } from './auth.service';
import { AccountDto, LoginDto, RegisterDto, SessionDto } from './credentials.dto';

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
