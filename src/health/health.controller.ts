import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../common/clock';
import { TakesPlaceOf } from '../common/http/places.decorator';
import { Public } from '../common/http/public.decorator';
import { ApiErrorResponse, ErrorDto } from '../common/openapi/responses';
import { HealthService } from './health.service';

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
  ) {}

  // Whoever looks after the service must not wait behind what its address has in progress.
  @TakesPlaceOf('none')
  @Public()
  @Get()
  @ApiOperation({ summary: 'Whether the service can reach its database' })
  @ApiResponse({ status: 200, type: HealthDto, description: 'OK' })
  @ApiErrorResponse(503, UnhealthyDto, [
    { status: 'error', timestamp: '2026-01-01T00:00:00.000Z', error: '数据库不可用' },
  ])
  async check(@Res({ passthrough: true }) response: Response): Promise<HealthDto | UnhealthyDto> {
    const timestamp = new Date(this.clock.now()).toISOString();
    if (await this.health.databaseAnswers()) return { status: 'ok', timestamp };
    response.status(503);
    return { status: 'error', timestamp, error: '数据库不可用', statusCode: 503 };
  }
}
