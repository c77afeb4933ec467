import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { SignedInRequest } from '../../platform/http/current-user.decorator';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { ApiErrors } from '../../platform/openapi/responses';
import { renderFor } from '../../platform/texts/languages';
import { faultOf, text } from '../../platform/texts/text';
import { ConnectionTest } from '../capabilities/test-connection/connection-test';
import { TestConfigurationDto } from './dto/ai-requests.dto';
import { ConfigurationTestDto } from './dto/ai-responses.dto';

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
