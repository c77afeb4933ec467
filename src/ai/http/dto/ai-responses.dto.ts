import { ApiProperty } from '@nestjs/swagger';

export class ExtractedLineDto {
  @ApiProperty({ example: 'Glycerin', description: 'Empty when unknown' })
  inciName!: string;

  @ApiProperty({ example: '甘油', description: 'Empty when unknown' })
  chineseName!: string;

  @ApiProperty({ example: 5, description: 'Percent by weight; 0 when the text gives no amount' })
  percentage!: number;

  @ApiProperty({ example: 'A' })
  phase!: string;

  @ApiProperty({ example: '', description: 'May be empty' })
  processNotes!: string;
}

class FoundProjectDto {
  @ApiProperty({ example: '春季护肤' })
  name!: string;
}

export class FoundFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  currentVersion!: number;

  @ApiProperty({ type: FoundProjectDto, nullable: true })
  project!: FoundProjectDto | null;
}

export class AiSearchDto {
  @ApiProperty({ type: [FoundFormulaDto] })
  data!: FoundFormulaDto[];

  @ApiProperty({ type: [String], example: ['保湿', '面霜'] })
  keywords!: string[];
}

export class ConfigurationTestDto {
  @ApiProperty({ description: 'Whether the provider answered', example: true })
  ok!: boolean;

  @ApiProperty({
    required: false,
    description: 'The model that answered; only when ok',
    example: 'gpt-4o-mini',
  })
  model?: string;

  @ApiProperty({ required: false, description: 'What went wrong; only when not ok', example: 'alpha 未配置' })
  error?: string;
}

export class ConfiguredProviderDto {
  @ApiProperty({ example: 'gamma' })
  name!: string;

  @ApiProperty({ description: 'The model that is asked where no other is chosen', example: 'gamma-1' })
  defaultModel!: string;

  @ApiProperty({ description: 'Whether a key is configured', example: false })
  hasKey!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Protocol, host and port of the configured address; its path may hold a token',
    example: 'https://ai.example.com',
  })
  baseUrl!: string | null;
}
