import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SignedInRequest } from '../http/route-decorators';
import { UseLane } from '../request-limits/concurrency.guard';
import { ApiErrors } from '../openapi/responses';
import { faultOf, text } from '../texts/text';
import { ConfigurationDto, OkDto, UpdateConfigurationDto } from './configuration.dto';
import { RuntimeConfiguration } from './runtime-configuration';

@ApiTags('config')
@Controller('config')
@UseLane('short')
export class RuntimeConfigController {
  constructor(private readonly configuration: RuntimeConfiguration) {}

  @Get()
  @ApiOperation({ summary: 'Get the configuration; key values are never returned' })
  @ApiOkResponse({ type: ConfigurationDto, description: 'OK' })
  async read(): Promise<ConfigurationDto> {
    return ConfigurationDto.of(await this.configuration.current());
  }

  @Put()
  @ApiOperation({ summary: 'Changes the configuration; effective at once' })
  @ApiOkResponse({ type: OkDto, description: 'Stored and in effect' })
  @ApiErrors({
    400: faultOf('aiMock', text('field.none-of', { values: 'true, false' })),
    403: text('access.denied'),
  })
  async update(@Body() change: UpdateConfigurationDto, @Req() { user }: SignedInRequest): Promise<OkDto> {
    await this.configuration.update({ ...change }, user);
    return { ok: true };
  }
}
