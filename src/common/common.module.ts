import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RegisteredRoles } from './access/registered-roles';
import { Clock } from './clock';
import { RouteMetadata } from './http/route-metadata';
import { SecurityLog } from './security-log';
import { OpenStreams, StreamPatience } from './sse/open-streams';
import { RequestClasses } from './validation/request-classes';

/** What any module may use without importing anything. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: Clock, useFactory: () => new Clock() },
    RegisteredRoles,
    RequestClasses,
    RouteMetadata,
    SecurityLog,
    { provide: StreamPatience, useFactory: () => new StreamPatience() },
    OpenStreams,
  ],
  exports: [Clock, RegisteredRoles, RequestClasses, RouteMetadata, SecurityLog, OpenStreams],
})
export class CommonModule {}
