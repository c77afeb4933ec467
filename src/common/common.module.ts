import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { RouteMetadata } from './http/route-metadata';
import { SecurityLog } from './security-log';
import { OpenStreams, StreamPatience } from './sse/open-streams';

/** What any module may use without importing anything. */
@Global()
@Module({
  providers: [
    { provide: Clock, useFactory: () => new Clock() },
    RouteMetadata,
    SecurityLog,
    { provide: StreamPatience, useFactory: () => new StreamPatience() },
    OpenStreams,
  ],
  exports: [Clock, RouteMetadata, SecurityLog, OpenStreams],
})
export class CommonModule {}
