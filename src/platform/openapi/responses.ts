import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiNoContentResponse,
  ApiProperty,
  ApiResponse,
  type ApiResponseOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import { AnswersJsonText } from '../http/envelope';
import { render, type Text, text } from '../texts/text';
import { numberedExamples, STATUS_DESCRIPTIONS } from './complete-document';

/** The body of every error. */
export class ErrorDto {
  @ApiProperty({
    description: 'The error in Chinese, or in English for requests with `X-Language: en`',
    example: render(text('auth.required')),
  })
  error!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status again', example: 401 })
  statusCode!: number;
}

class PaginationDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 20 })
  limit!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Records in all pages', example: 41 })
  total!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: '0 when the list is empty', example: 3 })
  totalPages!: number;
}

type Model = Type<unknown>;

const ref = (model: Model) => ({ $ref: getSchemaPath(model) });

const listOf = (model: Model) => ({ type: 'array', items: ref(model) });

const apiData = (
  models: Model[],
  properties: Record<string, object>,
  { status = 200, headers }: { status?: number; headers?: ApiResponseOptions['headers'] } = {},
) =>
  applyDecorators(
    ApiExtraModels(...models),
    ApiResponse({
      status,
      description: status === 201 ? 'Created' : 'OK',
      ...(headers && { headers }),
      schema: { type: 'object', required: Object.keys(properties), properties },
    }),
  );

/** `{ data: Model }`. */
export const ApiRecord = (model: Model, status = 200) => apiData([model], { data: ref(model) }, { status });

/** `{ data: Model }` with the record's `ETag`: the handler returns `taggedRecordText`. */
export const ApiTaggedRecord = (model: Model, status = 200, headers?: ApiResponseOptions['headers']) =>
  applyDecorators(
    AnswersJsonText(),
    apiData([model], { data: ref(model) }, { status, headers: { ETag: ENTITY_TAG, ...headers } }),
  );

/** `{ data: [Model] }`, without pagination. */
export const ApiList = (model: Model) => apiData([model], { data: listOf(model) });

/** `{ data: [Model], pagination }`, and what the answer says about the complete list. */
export const ApiPage = (model: Model, more: Record<string, Model> = {}) =>
  apiData([model, PaginationDto, ...Object.values(more)], {
    data: listOf(model),
    pagination: ref(PaginationDto),
    ...Object.fromEntries(Object.entries(more).map(([name, its]) => [name, ref(its)])),
  });

const ENTITY_TAG = {
  description: 'Names this state of the record, for If-Match',
  schema: { type: 'string' as const, example: '"r5-1Xw9mY3kqkBqkq2C0Ug"' },
};

/** The route accepts `If-Match`. */
export const ApiIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETags of the states that may be changed. If the record is in another state, nothing is written, and the answer ' +
      'is 412 with its ETag. A tag that a compressing proxy has changed still matches.',
    schema: { type: 'string' },
  });

/** 204 without a body. */
export const ApiDeleted = () => ApiNoContentResponse({ description: 'Deleted' });

/**
 * Documents the errors that are specific to a route: status and example texts. `completeDocument` adds the errors
 * that every route can return (401, 429, 500, 503, and 400, 413, 415 about the body).
 */
export function ApiErrors(texts: Record<number, Text | readonly Text[]>) {
  return applyDecorators(
    ...Object.entries(texts).map(([status, text]) =>
      ApiErrorResponse(
        Number(status),
        ErrorDto,
        [text].flat().map((message: Text) => ({ error: render(message) })),
      ),
    ),
  );
}

/** Documents an error whose body has additional fields. */
export function ApiErrorResponse(
  status: number,
  model: Type<ErrorDto>,
  examples: readonly ({ error: string } & Record<string, unknown>)[],
) {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status,
      description: STATUS_DESCRIPTIONS[status] ?? 'Error',
      content: {
        'application/json': {
          schema: ref(model),
          examples: numberedExamples(status, examples),
        },
      },
    }),
  );
}
