import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CurrentUser } from '../common/access/current-user';
import { User } from '../common/http/current-user.decorator';
import { record } from '../common/http/envelope';
import { Public } from '../common/http/public.decorator';
import { ApiErrors, ApiRecord } from '../common/openapi/responses';
import { AskedBy, type Caller } from '../shares/caller';
import { AuthService } from './auth.service';
import { LoginDto, RegisterDto } from './dto/credentials.dto';
import { AccountDto, SessionDto } from './dto/session.dto';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @ApiOperation({ summary: 'Create an account and sign in' })
  @Public()
  @Post('register')
  @ApiRecord(SessionDto, 201)
  @ApiErrors({
    400: ['用户名和密码为必填项', '密码至少4位'],
    403: '无权限执行此操作',
    409: '用户名已存在',
    503: '登录请求过多,请稍后再试',
  })
  async register(@Body() credentials: RegisterDto, @AskedBy() caller: Caller) {
    return record(await this.auth.register(credentials, caller));
  }

  @ApiOperation({ summary: 'Sign in' })
  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiRecord(SessionDto)
  @ApiErrors({
    400: ['用户名不能为空', '密码不能为空'],
    401: '用户名或密码错误',
    503: '登录请求过多,请稍后再试',
  })
  async login(@Body() credentials: LoginDto, @AskedBy() caller: Caller) {
    return record(await this.auth.login(credentials, caller));
  }

  @ApiOperation({ summary: 'Who the token belongs to' })
  @Get('me')
  @ApiRecord(AccountDto)
  me(@User() { id, username, role }: CurrentUser) {
    return record({ id, username, role });
  }
}
