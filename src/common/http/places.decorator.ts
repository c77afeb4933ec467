import { SetMetadata } from '@nestjs/common';

export const PLACES_OF_ROUTE = 'formula:places-of-route';

/**
 * Which of a client's places a request takes; of its requests in progress unless the route says otherwise.
 */
export type PlacesOfRoute = 'streams' | 'none';

/**
 * Counts a route's requests with a client's open streams, or with nothing: they are then answered at once,
 * whatever else the client has in progress.
 */
export const TakesPlaceOf = (places: PlacesOfRoute) => SetMetadata(PLACES_OF_ROUTE, places);
