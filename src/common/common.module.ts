import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { RouteMetadata } from './http/route-metadata';

@Global()
@Module({
  providers: [{ provide: Clock, useFactory: () => new Clock() }, RouteMetadata],
  exports: [Clock, RouteMetadata],
})
export class CommonModule {}
