import { applyDecorators, HttpCode, SetMetadata, UseInterceptors } from '@nestjs/common';
import { EventStreamInterceptor } from './event-stream.interceptor';

export const EVENT_STREAM_ROUTE = 'formula:event-stream-route';

/** Marks a route that may answer with an event stream (`streamOpened`). Its status is 200 for every method. */
export const StreamsEvents = () =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(EVENT_STREAM_ROUTE, true),
    UseInterceptors(EventStreamInterceptor),
  );
