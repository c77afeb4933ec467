import { ApiProperty } from '@nestjs/swagger';
import { type RuntimeSettings } from '../runtime-configuration';

export class ConfigurationDto {
  @ApiProperty({
    enum: ['true', 'false'],
    description: 'Whether AI features answer with preset data',
    example: 'true',
  })
  aiMock!: 'true' | 'false';

  @ApiProperty({ description: 'Whether a key for alpha is configured', example: false })
  hasAlpha!: boolean;

  @ApiProperty({ description: 'Whether a key for beta is configured', example: false })
  hasBeta!: boolean;

  static of(settings: RuntimeSettings): ConfigurationDto {
    return {
      aiMock: settings.aiMock ? 'true' : 'false',
      hasAlpha: settings.provider('alpha').key !== undefined,
      hasBeta: settings.provider('beta').key !== undefined,
    };
  }
}

export class OkDto {
  @ApiProperty({ enum: [true], type: Boolean, example: true })
  ok!: true;
}
