import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  EnumField,
  ListField,
  NumberField,
  TextField,
  TextListField,
  UuidField,
} from '../../../platform/validation/fields';
import { FreeObjectField } from '../../../platform/validation/free-json';
import { QueryTextField } from '../../../platform/validation/query-fields';
import { COMPOSITION_LIMITS } from '../../../formulas/formula.fields';

const NAME_MAX = 200;
const TEXT_MAX = 20_000;

export class PredictLineDto {
  @TextField({ max: NAME_MAX, example: '甘油' })
  name!: string;

  @NumberField({ description: 'Percent by weight', example: 5 })
  percentage!: number;

  @TextField({
    max: NAME_MAX,
    notBlank: false,
    description: 'Function, e.g. a functionCategory',
    example: 'humectant',
  })
  category!: string;
}

export class PredictFormulaDto {
  @ListField({ type: () => PredictLineDto, minItems: 1, maxItems: COMPOSITION_LIMITS.lines })
  ingredients!: PredictLineDto[];
}

export class BaseLineDto {
  @TextField({ max: NAME_MAX, example: '甘油' })
  name!: string;

  @NumberField({ description: 'Percent by weight', example: 5 })
  percentage!: number;
}

export class ExploreFormulaDto {
  @UuidField({
    presence: 'optional',
    description: 'A stored formula; its latest version fills a missing baseFormulaName and baseIngredients',
    example: null,
  })
  baseFormulaId?: string | null;

  @TextField({ presence: 'optional', max: NAME_MAX, example: '保湿面霜' })
  baseFormulaName?: string | null;

  @ListField({ presence: 'optional', type: () => BaseLineDto, maxItems: COMPOSITION_LIMITS.lines })
  baseIngredients?: BaseLineDto[] | null;

  @NumberField({
    presence: 'optional',
    min: 0,
    description: 'Cost ceiling per kg; counts as set above 0',
    example: 25,
  })
  costLimit?: number | null;

  @TextListField({
    presence: 'optional',
    max: NAME_MAX,
    maxItems: COMPOSITION_LIMITS.lines,
    description: 'Names that must stay',
    example: ['透明质酸钠'],
  })
  keepIngredients?: string[] | null;

  @TextListField({
    presence: 'optional',
    max: NAME_MAX,
    maxItems: COMPOSITION_LIMITS.lines,
    description: 'Names that must be removed',
    example: ['酒精'],
  })
  excludeIngredients?: string[] | null;

  @FreeObjectField({
    description: 'Free key/value targets; at most 64 KB as JSON text',
    example: { stabilityScore: 90 },
  })
  targetMetrics?: Record<string, unknown> | null;
}

export class ExtractFormulaDto {
  @TextField({
    max: TEXT_MAX,
    description: 'Free text that describes a formula',
    example: '水 加至100\n甘油 5%',
  })
  text!: string;
}

export class AiSearchQuery {
  @QueryTextField({
    presence: 'required',
    max: TEXT_MAX,
    description: 'A phrase in natural language',
    example: '不含酒精的保湿面霜',
  })
  q!: string;
}

const CONTRACT_PROVIDERS = ['alpha', 'beta'];

export class TestConfigurationDto {
  @EnumField({ values: CONTRACT_PROVIDERS, example: 'alpha' })
  provider!: string;
}

/** Returns the class of the request body with the names of further AI providers added. */
export function testOf(providers: readonly string[]): Type<TestConfigurationDto> {
  class TestConfigurationOfProvidersDto {
    @EnumField({ values: [...CONTRACT_PROVIDERS, ...providers], example: 'alpha' })
    provider!: string;
  }
  return TestConfigurationOfProvidersDto;
}

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

  @ApiProperty({ required: false, description: 'The error; only if `ok` is false', example: 'alpha 未配置' })
  error?: string;
}

export class ConfiguredProviderDto {
  @ApiProperty({ example: 'gamma' })
  name!: string;

  @ApiProperty({ description: 'The default model', example: 'gamma-1' })
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
