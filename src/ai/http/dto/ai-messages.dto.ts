import {
  ApiExtension,
  ApiExtraModels,
  ApiProperty,
  ApiResponse,
  type ApiResponseSchemaHost,
  getSchemaPath,
} from '@nestjs/swagger';
import { applyDecorators, type Type } from '@nestjs/common';
import * as providers from '../../providers';

/*
 * The messages of the AI streams, for the OpenAPI document only.
 */

class SensoryIndexDto {
  @ApiProperty({ minimum: 0, maximum: 100, example: 70 })
  spreadability!: number;

  @ApiProperty({ minimum: 0, maximum: 100, example: 65 })
  absorption!: number;

  @ApiProperty({ minimum: 0, maximum: 100, description: 'Higher is stickier', example: 30 })
  stickiness!: number;

  @ApiProperty({ minimum: 0, maximum: 100, example: 68 })
  overall!: number;
}

/** The JSON text in `content` of a prediction's `result` message. */
export class PredictionDto {
  @ApiProperty()
  sensoryIndex!: SensoryIndexDto;

  @ApiProperty({ minimum: 0, maximum: 100, example: 75 })
  stabilityScore!: number;

  @ApiProperty({ minimum: 0, description: 'Estimated cost per kg', example: 32.5 })
  costEstimate!: number;

  @ApiProperty({ minimum: 0, maximum: 1, example: 0.6 })
  confidence!: number;

  @ApiProperty({ example: '甘油含量适中,铺展性较好。' })
  reasoning!: string;
}

class OptionChangeDto {
  @ApiProperty({ description: '`reduce` (removal included) or `add` (raising included)', example: 'reduce' })
  action!: string;

  @ApiProperty({ example: '甘油' })
  ingredient!: string;

  @ApiProperty({ type: Number, nullable: true, description: 'null when the base has none of it', example: 5 })
  oldPercentage!: number | null;

  @ApiProperty({ example: 3 })
  newPercentage!: number;
}

class OptionMetricsDto {
  @ApiProperty({ minimum: 0, description: 'Estimated cost per kg', example: 24 })
  costEstimate!: number;

  @ApiProperty({ minimum: 0, maximum: 100, example: 78 })
  stabilityScore!: number;
}

/** A proposed variant of a formula. */
export class OptionDto {
  @ApiProperty({ example: '降本方案' })
  name!: string;

  @ApiProperty({ type: [OptionChangeDto] })
  changes!: OptionChangeDto[];

  @ApiProperty()
  predictedMetrics!: OptionMetricsDto;

  @ApiProperty({ example: '减少甘油以降低成本。' })
  reasoning!: string;
}

export class ResultMessageDto {
  @ApiProperty({ enum: ['result'] })
  type!: 'result';

  @ApiProperty({ description: 'JSON text of the answer' })
  content!: string;
}

export class OptionMessageDto {
  @ApiProperty({ enum: ['option'] })
  type!: 'option';

  @ApiProperty()
  option!: OptionDto;
}

export class DoneMessageDto {
  @ApiProperty({ enum: ['done'] })
  type!: 'done';
}

/** Sent as the last message of a stream that failed. */
class ErrorMessageDto {
  @ApiProperty({ enum: ['error'] })
  type!: 'error';

  @ApiProperty({ example: 'AI 服务中断,请重试' })
  content!: string;
}

/** Extension of an operation: the schema of the JSON text in its `result` messages. */
const RESULT_CONTENT = 'x-result-content';
/**
 * Extension of an operation: the messages of the stream that it sends if the client prefers one to JSON. Listing
 * the stream as a second media type would make the response a union in generated clients, which request JSON only.
 */
const STREAM_MESSAGES = 'x-stream-messages';

interface StreamOptions {
  description: string;
  messages: Type<unknown>[];
  /** Schema of the JSON text in a `result` message. */
  content?: { model: Type<unknown>; isArray?: boolean };
  /** Example messages. */
  example: { type: string; [field: string]: unknown }[];
  /** Item type of the JSON response for clients that do not request a stream. */
  json?: Type<unknown>;
  /** Additional response headers. */
  headers?: NonNullable<ApiResponseSchemaHost['headers']>;
}

/** The values of `X-AI-Source`: the providers, named after their modules, and the other sources. */
const AI_SOURCES = [
  ...Object.keys(providers).map((module) => module.replace(/Module$/, '').toLowerCase()),
  'cache',
  'fallback',
];

const reference = (model: Type<unknown>) => ({ $ref: getSchemaPath(model) });
const listOf = (model: Type<unknown>) => ({ type: 'array', items: reference(model) });

/** Documents a 200 response that is a stream of messages, each a line `data: <JSON>` and a blank line. */
export function ApiStream({ description, messages, content, example, json, headers }: StreamOptions) {
  const all = [...messages, ErrorMessageDto];
  const stream = {
    schema: {
      description: 'One message of the stream: a line `data: <JSON>` and a blank line',
      oneOf: all.map(reference),
    },
    examples: Object.fromEntries(example.map((value) => [value.type, { summary: value.type, value }])),
  };
  const answer = json && {
    schema: { type: 'object', required: ['data'], properties: { data: listOf(json) } },
  };
  const further = {
    ...(content && { [RESULT_CONTENT]: content.isArray ? listOf(content.model) : reference(content.model) }),
    ...(json && { [STREAM_MESSAGES]: stream.schema }),
  };
  return applyDecorators(
    ApiExtraModels(...all, ...(content ? [content.model] : []), ...(json ? [json] : [])),
    ...Object.entries(further).map(([name, schema]) => ApiExtension(name, schema)),
    ApiResponse({
      status: 200,
      description,
      headers: {
        'X-AI-Source': {
          description: 'Source of the answer; missing if it is not known when the stream opens',
          schema: { type: 'string', enum: AI_SOURCES },
        },
        ...headers,
      },
      content: answer ? { 'application/json': answer } : { 'text/event-stream': stream },
    }),
  );
}
