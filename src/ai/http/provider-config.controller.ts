import {
  Body,
  Controller,
  Get,
  HttpCode,
  Injectable,
  type OnModuleInit,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { SignedInRequest } from '../../platform/http/route-decorators';
import { UseLane } from '../../platform/request-limits/concurrency.guard';
import { ApiErrors, ApiList } from '../../platform/openapi/responses';
import { renderFor } from '../../platform/texts/languages';
import { faultOf, text } from '../../platform/texts/text';
import { ConnectionTest } from '../capabilities/test-connection/test-connection';
import { ConfigurationTestDto, ConfiguredProviderDto, TestConfigurationDto, testOf } from './dto/ai.dto';
import { record, type RecordEnvelope } from '../../platform/http/envelope';
import { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { ConfigurableProviders } from '../providers/configurable-providers';
import { RequestClasses } from '../../platform/validation/request-instance';
import { configurationOf, UpdateConfigurationDto } from '../../platform/runtime-config/configuration.dto';

/** A route of the configuration. It is in this module because the configuration module does not know the providers. */
@ApiTags('config')
@Controller('config')
@UseLane('ai')
export class ConnectionTestController {
  constructor(private readonly test: ConnectionTest) {}

  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Whether a provider answers; status 200 in every outcome' })
  @ApiOkResponse({ type: ConfigurationTestDto, description: 'The outcome' })
  @ApiErrors({ 400: faultOf('provider', text('field.required')), 403: text('access.denied') })
  async run(
    @Body() { provider }: TestConfigurationDto,
    @Req() { user }: SignedInRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Observable<ConfigurationTestDto>> {
    const outcome = await this.test.run(provider, user);
    return outcome.pipe(
      map((result) => (result.ok ? result : { ok: false, error: renderFor(response, result.error) })),
    );
  }
}

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

/** Adds the providers of extensions to the request bodies of the configuration routes. */
@Injectable()
export class ProviderFields implements OnModuleInit {
  constructor(
    private readonly providers: ConfigurableProviders,
    private readonly classes: RequestClasses,
  ) {}

  onModuleInit(): void {
    const names = this.providers.all().map(({ name }) => name);
    if (names.length === 0) return;
    this.classes.replace(UpdateConfigurationDto, configurationOf(names));
    this.classes.replace(TestConfigurationDto, testOf(names));
  }
}
