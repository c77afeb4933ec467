import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { TakesPlaceOf } from '../http/places.decorator';
import { EventStreamInterceptor } from './event-stream.interceptor';

/** A route that may answer with an event stream (`streamOpened`): status 200, whatever the method. */
export const StreamsEvents = () =>
  applyDecorators(HttpCode(200), TakesPlaceOf('streams'), UseInterceptors(EventStreamInterceptor));
