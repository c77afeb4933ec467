import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { QueryIntegerField } from '../platform/validation/query-fields';

/** The largest number that a version can have. */
export const MAX_VERSION_NUMBER = 2 ** 31 - 1;

/** The query of a route that works on one version of a formula. */
export class VersionQuery {
  @QueryIntegerField({
    min: 1,
    max: MAX_VERSION_NUMBER,
    description: 'Number of the version; default: the latest',
    example: 1,
  })
  version?: number;
}

/** No version has it. */
const NO_VERSION = 0;

/** The number that a text of the path is; one that no version has where it is no positive integer. */
function versionNumberOf(text: unknown): number {
  if (typeof text !== 'string' || !/^[1-9]\d{0,9}$/.test(text)) return NO_VERSION;
  return Number(text) <= MAX_VERSION_NUMBER ? Number(text) : NO_VERSION;
}

export const VersionNumber = createParamDecorator((_: unknown, context: ExecutionContext) =>
  versionNumberOf(context.switchToHttp().getRequest<Request>().params.number),
);

export const ApiVersionNumber = () =>
  applyDecorators(
    ApiParam({
      name: 'number',
      description: 'Number of the version, counted from 1',
      schema: { type: 'integer', minimum: 1, maximum: MAX_VERSION_NUMBER, example: 1 },
    }),
  );
