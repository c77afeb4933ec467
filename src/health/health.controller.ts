import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../common/clock';
import { Public } from '../common/http/public.decorator';
import { HealthService } from './health.service';

class HealthDto {
  @ApiProperty({ enum: ['ok', 'error'], example: 'ok' })
  status!: 'ok' | 'error';

  @ApiProperty({ format: 'date-time' })
  timestamp!: string;

  @ApiPropertyOptional({ description: 'Only with 503', example: '数据库不可用' })
  error?: string;

  @ApiPropertyOptional({ description: 'Only with 503', example: 503 })
  statusCode?: number;
}

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly clock: Clock,
  ) {}

  @Public()
  @Get()
  @ApiOperation({ summary: 'Whether the service can reach its database' })
  @ApiResponse({ status: 200, type: HealthDto })
  @ApiResponse({ status: 503, type: HealthDto, description: 'The database is out of reach' })
  async check(@Res({ passthrough: true }) response: Response): Promise<HealthDto> {
    const timestamp = new Date(this.clock.now()).toISOString();
    if (await this.health.databaseAnswers()) return { status: 'ok', timestamp };
    response.status(503);
    return { status: 'error', timestamp, error: '数据库不可用', statusCode: 503 };
  }
}
