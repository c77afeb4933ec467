import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { MAX_VERSION_NUMBER } from '../composition/version-query';

/** No version has it. */
const NO_VERSION = 0;

/** The number that a text of the path is; one that no version has where it is no positive integer. */
function versionNumberOf(text: unknown): number {
  if (typeof text !== 'string' || !/^[1-9]\d{0,9}$/.test(text)) return NO_VERSION;
  return Number(text) <= MAX_VERSION_NUMBER ? Number(text) : NO_VERSION;
}

/** Parameter of a handler: `:number` in the path. */
export const VersionNumber = createParamDecorator((_: unknown, context: ExecutionContext) =>
  versionNumberOf(context.switchToHttp().getRequest<Request>().params.number),
);

/** Documents `:number` in the path. */
export const ApiVersionNumber = () =>
  applyDecorators(
    ApiParam({
      name: 'number',
      description: 'Number of the version, counted from 1',
      schema: { type: 'integer', minimum: 1, maximum: MAX_VERSION_NUMBER, example: 1 },
    }),
  );
