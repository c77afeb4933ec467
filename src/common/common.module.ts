import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { RouteMetadata } from './http/route-metadata';
import { OpenStreams, StreamPatience } from './sse/open-streams';

/** What any module may use without importing anything. */
@Global()
@Module({
  providers: [
    { provide: Clock, useFactory: () => new Clock() },
    RouteMetadata,
    { provide: StreamPatience, useFactory: () => new StreamPatience() },
    OpenStreams,
  ],
  exports: [Clock, RouteMetadata, OpenStreams],
})
export class CommonModule {}
