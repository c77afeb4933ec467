import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ConcurrencyInterceptor } from './concurrency.interceptor';
import { LANE, type RouteLane } from './lanes';

/**
 * In which lane the requests of a route or controller are handled, see `Lane`. With `short`, `formulas` and
 * `catalogue` the request decides: a search, a page far behind, a long page and a large body have lanes of
 * their own. Routes without a lane are not to hold connections of the database for long. Requests of a route
 * with `none` never wait, not even for their client's other requests.
 */
export const UseLane = (lane: RouteLane) =>
  applyDecorators(SetMetadata(LANE, lane), UseInterceptors(ConcurrencyInterceptor));
