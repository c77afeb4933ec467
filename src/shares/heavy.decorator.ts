import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { HEAVY_ROUTE, HeavyInterceptor } from './heavy.interceptor';
import type { HeavyKind } from './heavy-turn';

/**
 * A route whose requests are all heavy: each waits for its turn, so that others' short requests never wait
 * for it. Where only some are, `HeavyWork.runWhere` costs the others nothing.
 */
export const Heavy = (kind: HeavyKind) =>
  applyDecorators(SetMetadata(HEAVY_ROUTE, kind), UseInterceptors(HeavyInterceptor));
