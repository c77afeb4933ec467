import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Response } from 'express';
import { Clock } from '../common/clock';
import { UseLane } from '../request-limits/concurrency.guard';
import { Public } from '../http/route-decorators';
import { ApiErrorResponse, ErrorDto } from '../openapi/responses';
import { renderFor } from '../texts/languages';
import { ERROR_CODE_HEADER, render, text } from '../texts/text';
import { HealthIndicators, type IndicatorStates } from './health-indicators';
import { HealthService } from './health.service';

const NO_DATABASE = text('database.unavailable');

class HealthDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: 'ok';

  @ApiProperty({ type: String, format: 'date-time' })
  timestamp!: string;
}

class UnhealthyDto extends ErrorDto {
  @ApiProperty({ enum: ['error'], example: 'error' })
  status!: 'error';

  @ApiProperty({ type: String, format: 'date-time' })
  timestamp!: string;
}

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly clock: Clock,
    private readonly indicators: HealthIndicators,
  ) {}

  // No lane: the operator must not wait behind other requests of the same address.
  @UseLane('none')
  @Public()
  @Get()
  @ApiOperation({ summary: 'Whether the service can reach its database' })
  @ApiResponse({ status: 200, type: HealthDto, description: 'OK' })
  @ApiErrorResponse(503, UnhealthyDto, [
    { status: 'error', timestamp: '2026-01-01T00:00:00.000Z', error: render(NO_DATABASE) },
  ])
  async check(
    @Res({ passthrough: true }) response: Response,
  ): Promise<(HealthDto | UnhealthyDto) & { indicators?: IndicatorStates['states'] }> {
    const timestamp = new Date(this.clock.now()).toISOString();
    const [answers, found] = await Promise.all([this.health.databaseAnswers(), this.indicators.states()]);
    // The contract's body, extended only if an extension provides indicators.
    const added = found && { indicators: found.states };
    const takesWork = found?.healthy !== false && !this.health.isStopping;
    if (answers && takesWork) return { status: 'ok', timestamp, ...added };
    response.status(503);
    const message = answers ? text('server.unhealthy') : NO_DATABASE;
    response.setHeader(ERROR_CODE_HEADER, message.code);
    const error = renderFor(response, message);
    return { status: 'error', timestamp, error, statusCode: 503, ...added };
  }
}

class LivenessDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: 'ok';
}

/**
 * Liveness probe for supervisors that restart the process. Any answer means that the event loop works. The
 * database, a shutdown and the rate limit do not affect it, because they are no reason to kill the process.
 */
@ApiTags('health')
@Controller('ext/live')
export class LivenessController {
  @SkipThrottle()
  @UseLane('none')
  @Public()
  @Get()
  @ApiOperation({ summary: 'Check that the process is alive, whatever the state of its database' })
  @ApiOkResponse({ type: LivenessDto, description: 'OK' })
  check(): LivenessDto {
    return { status: 'ok' };
  }
}
