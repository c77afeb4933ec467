import { SetMetadata } from '@nestjs/common';
import { LANE, type RouteLane } from './lanes';

/**
 * Sets the lane of a route or controller, see `Lane`. With `short`, `formulas` and `catalogue` the request
 * determines the lane: searches, pages far behind, long pages and large bodies have separate lanes. Routes without
 * a lane must not use database connections for long.
 */
export const UseLane = (lane: RouteLane) => SetMetadata(LANE, lane);
