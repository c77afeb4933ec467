import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { HEAVY_ROUTE, HeavyInterceptor, type HeavyRoute } from './heavy.interceptor';
import type { HeavyKind } from './heavy-turn';

/**
 * A route whose work is heavy: it waits for its turn, so that others' short requests never wait for it.
 * @param when which of its requests are; absent: all. It sees body and query before they are checked
 */
export const Heavy = (kind: HeavyKind, when?: HeavyRoute['when']) =>
  applyDecorators(
    SetMetadata(HEAVY_ROUTE, { kind, when } satisfies HeavyRoute),
    UseInterceptors(HeavyInterceptor),
  );

/** A list's first pages are short work. */
const FIRST_PAGES = 10;

/** A list that is searched, or read beyond its first pages. */
export const searchesOrReadsDeep = ({ query }: Request): boolean =>
  query.search !== undefined || !(Number(query.page ?? 1) <= FIRST_PAGES);

/** A composition of about a hundred lines, in bytes. */
const SMALL_BODY = 8 * 1024;

/** More than a small body, or one whose size is not told. */
export const hasLargeBody = ({ headers }: Request): boolean =>
  !(Number(headers['content-length']) <= SMALL_BODY);
