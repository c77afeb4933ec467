import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiNoContentResponse,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';

/** The body of every error. */
export class ErrorDto {
  @ApiProperty({ example: '未登录或登录已过期' })
  error!: string;

  @ApiProperty({ example: 401 })
  statusCode!: number;
}

export class PaginationDto {
  @ApiProperty({ example: 1 })
  page!: number;

  @ApiProperty({ example: 20 })
  limit!: number;

  @ApiProperty({ description: 'Records in all pages', example: 41 })
  total!: number;

  @ApiProperty({ description: '0 when the list is empty', example: 3 })
  totalPages!: number;
}

type Model = Type<unknown>;

const ref = (model: Model) => ({ $ref: getSchemaPath(model) });

/** `{ data: Model }`. */
export const ApiRecord = (model: Model, status = 200) =>
  applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status,
      description: status === 201 ? 'Created' : 'OK',
      schema: { type: 'object', required: ['data'], properties: { data: ref(model) } },
    }),
  );

/** `{ data: [Model] }`, without pagination. */
export const ApiList = (model: Model) =>
  applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description: 'OK',
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: ref(model) } },
      },
    }),
  );

/** `{ data: [Model], pagination }`. */
export const ApiPage = (model: Model) =>
  applyDecorators(
    ApiExtraModels(model, PaginationDto),
    ApiResponse({
      status: 200,
      description: 'OK',
      schema: {
        type: 'object',
        required: ['data', 'pagination'],
        properties: { data: { type: 'array', items: ref(model) }, pagination: ref(PaginationDto) },
      },
    }),
  );

/** 204 without a body. */
export const ApiDeleted = () => ApiNoContentResponse({ description: 'Deleted' });

/** Answers every route can give: the rate limit, and the database being out of reach. */
const ALWAYS: Record<number, string> = { 429: '请求过于频繁,请稍后再试', 503: '数据库不可用' };

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request breaks a rule',
  401: 'No usable token, or wrong credentials',
  403: 'Not allowed',
  404: 'No such record',
  409: 'Contradicts what is stored',
  413: 'Body larger than 1 MB',
  415: 'The body is not JSON',
  429: 'More requests than the limit allows; Retry-After says when to come back (seconds)',
  500: 'Server error',
  503: 'Out of reach or overloaded at the moment',
};

/**
 * The errors of a route: status and an example text. The rate limit and an unreachable database are added, and a
 * missing token unless the route is `open`.
 */
export function ApiErrors(texts: Record<number, string>, route: 'guarded' | 'open' = 'guarded') {
  const all = { ...(route === 'guarded' ? { 401: '未登录或登录已过期' } : {}), ...ALWAYS, ...texts };
  return applyDecorators(
    ApiExtraModels(ErrorDto),
    ...Object.entries(all).map(([status, error]) =>
      ApiResponse({
        status: Number(status),
        description: DESCRIPTIONS[Number(status)] ?? 'Error',
        content: {
          'application/json': { schema: ref(ErrorDto), example: { error, statusCode: Number(status) } },
        },
      }),
    ),
  );
}
