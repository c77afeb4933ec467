import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { Tracing } from './tracing';

/** Metrics and traces, for every module that has something to report. */
@Global()
@Module({ providers: [Metrics, Tracing], exports: [Metrics, Tracing] })
export class ObservabilityModule {}
