import { Global, Module } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Environment } from '../environment/environment';
import { HeavyWork } from './heavy-work';
import { LargeReads } from './large-reads';

/** What clients may have of what all share; for any module without importing anything. */
@Global()
@Module({
  providers: [
    {
      provide: HeavyWork,
      inject: [Environment, Clock],
      useFactory: (environment: Environment, clock: Clock) => new HeavyWork(environment, clock),
    },
    LargeReads,
  ],
  exports: [HeavyWork, LargeReads],
})
export class SharesModule {}
