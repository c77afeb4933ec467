import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import { UseLane } from '../concurrency/lane.decorator';
import { Public } from '../common/http/public.decorator';

class LivenessDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: 'ok';
}

/**
 * Whoever restarts what is dead asks here. That there is an answer says that the event loop turns; a database
 * that is away, a stop under way or a client beyond its rate is no reason to be killed.
 */
@ApiTags('health')
@Controller('ext/live')
export class LivenessController {
  @SkipThrottle()
  @UseLane('none')
  @Public()
  @Get()
  @ApiOperation({ summary: 'That the process works, whatever its database does' })
  @ApiOkResponse({ type: LivenessDto, description: 'OK' })
  check(): LivenessDto {
    return { status: 'ok' };
  }
}
