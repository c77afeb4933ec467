import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Observable } from 'rxjs';
import type { CurrentUser } from '../../common/access/current-user';
import { User } from '../../common/http/current-user.decorator';
import { ApiErrors } from '../../common/openapi/responses';
import { ConnectionTest, type ConnectionTestResult } from '../capabilities/test-connection/connection-test';
import { TestConfigurationDto } from './dto/ai-requests.dto';
import { ConfigurationTestDto } from './dto/ai-responses.dto';

/** One of the configuration's paths, but it needs the providers, which the configuration does not know. */
@ApiTags('config')
@Controller('config')
export class ConnectionTestController {
  constructor(private readonly test: ConnectionTest) {}

  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Whether a provider answers; status 200 in every outcome' })
  @ApiOkResponse({ type: ConfigurationTestDto, description: 'The outcome' })
  @ApiErrors({ 400: 'provider: 不能为空', 403: '无权限执行此操作' })
  run(
    @Body() { provider }: TestConfigurationDto,
    @User() user: CurrentUser,
  ): Promise<Observable<ConnectionTestResult>> {
    return this.test.run(provider, user);
  }
}
