import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccessPolicy } from '../common/access/access-policy';
import { CurrentUser } from '../common/access/current-user';
import { ForbiddenError } from '../common/errors/service-error';
import { User } from '../common/http/current-user.decorator';
import { ApiErrors } from '../common/openapi/responses';
import { ConfigurationDto, OkDto } from './dto/configuration.dto';
import { UpdateConfigurationDto } from './dto/update-configuration.dto';
import { RuntimeConfiguration } from './runtime-configuration';

@ApiTags('config')
@Controller('config')
export class RuntimeConfigController {
  constructor(
    private readonly configuration: RuntimeConfiguration,
    private readonly policy: AccessPolicy,
  ) {}

  @Get()
  @ApiOperation({ summary: 'What is configured; key values are never returned' })
  @ApiOkResponse({ type: ConfigurationDto, description: 'OK' })
  async read(): Promise<ConfigurationDto> {
    const { aiMock, alpha, beta } = await this.configuration.current();
    return {
      aiMock: aiMock ? 'true' : 'false',
      hasAlpha: alpha.key !== undefined,
      hasBeta: beta.key !== undefined,
    };
  }

  @Put()
  @ApiOperation({ summary: 'Changes the configuration; effective at once' })
  @ApiOkResponse({ type: OkDto, description: 'Stored and in effect' })
  @ApiErrors({ 400: 'aiMock: 必须是以下值之一: true, false', 403: '无权限执行此操作' })
  async update(@Body() change: UpdateConfigurationDto, @User() user: CurrentUser): Promise<OkDto> {
    if (!(await this.policy.canConfigure(user))) throw new ForbiddenError();
    await this.configuration.update({ ...change, aiMock: change.aiMock === null ? '' : change.aiMock });
    return { ok: true };
  }
}
