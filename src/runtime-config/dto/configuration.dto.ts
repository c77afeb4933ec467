import { ApiProperty } from '@nestjs/swagger';

export class ConfigurationDto {
  @ApiProperty({ enum: ['true', 'false'], description: 'Whether AI features answer with preset data' })
  aiMock!: 'true' | 'false';

  @ApiProperty({ description: 'Whether a key for alpha is configured' })
  hasAlpha!: boolean;

  @ApiProperty({ description: 'Whether a key for beta is configured' })
  hasBeta!: boolean;
}

export class OkDto {
  @ApiProperty({ example: true })
  ok!: true;
}
