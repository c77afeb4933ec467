import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { record, type RecordEnvelope } from '../../platform/http/envelope';
import { ApiList } from '../../platform/openapi/responses';
import { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { ConfigurableProviders } from '../providers/configurable-providers';
import { ConfiguredProviderDto } from './dto/ai-responses.dto';

/** Lists the providers that extensions add. `GET /api/config` returns only those of the contract. */
@ApiTags('config')
@Controller('ext/ai/providers')
export class ProviderListController {
  constructor(
    private readonly providers: ConfigurableProviders,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The AI providers of extensions; key values are never returned' })
  @ApiList(ConfiguredProviderDto)
  async list(): Promise<RecordEnvelope<ConfiguredProviderDto[]>> {
    const settings = await this.configuration.current();
    return record(
      this.providers.all().map(({ name, defaultModel }) => {
        const { key, baseUrl } = settings.provider(name);
        return {
          name,
          defaultModel,
          hasKey: key !== undefined,
          baseUrl: baseUrl === undefined ? null : new URL(baseUrl).origin,
        };
      }),
    );
  }
}
