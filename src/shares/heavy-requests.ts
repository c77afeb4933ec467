import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { PageQuery } from '../common/pagination';

/** A list's first pages are short work. */
const FIRST_PAGES = 10;

/** A list that is searched, or read beyond its first pages. */
export const searchesOrReadsDeep = ({ search, page }: PageQuery & { search?: string }): boolean =>
  Boolean(search) || page > FIRST_PAGES;

/** A composition of about a hundred lines, in bytes. */
const SMALL_BODY = 8 * 1024;

/** More than a small body, or one whose size is not told. */
export const hasLargeBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  !(Number(headers['content-length']) <= SMALL_BODY);

/** Whether the request has a large body, as a parameter of its handler. */
export const HasLargeBody = createParamDecorator((_: unknown, context: ExecutionContext) =>
  hasLargeBody(context.switchToHttp().getRequest<Request>()),
);
