import { SetMetadata } from '@nestjs/common';
import { LANE, type RouteLane } from './lanes';

/**
 * In which lane the requests of a route or controller are handled, see `Lane`. With `short`, `formulas` and
 * `catalogue` the request decides: a search, a page far behind, a long page and a large body have lanes of
 * their own. Routes without a lane are not to hold connections of the database for long.
 */
export const UseLane = (lane: RouteLane) => SetMetadata(LANE, lane);
