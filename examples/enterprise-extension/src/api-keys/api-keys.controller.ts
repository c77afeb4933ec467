import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Throttle } from '@nestjs/throttler';
import { ApiRecord, record, ResponseType, Roles, ShownField, TextField } from 'formula-development-service';
import { ApiKeysService } from './api-keys.service';

class InstrumentDto {
  @TextField({ max: 50, trim: true, example: 'viscometer-2' })
  instrument!: string;
}

class ApiKeyFields {
  @ShownField({ type: String, description: 'Shown this once', example: 'key-…' })
  key!: string;

  @ShownField({ type: String, example: 'instrument:viscometer-2' })
  username!: string;
}

class ApiKeyDto extends ResponseType(ApiKeyFields) {}

@ApiTags('api-keys')
@Controller('ext/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Issues a key to an instrument. */
  @Roles('admin')
  @Throttle({ default: { limit: 10, ttl: 60_000 } }) // a count of its own, apart from that of all routes
  @Post()
  @ApiRecord(ApiKeyDto, 201)
  async issue(@Body() { instrument }: InstrumentDto) {
    return record(await this.keys.issue(instrument));
  }
}
