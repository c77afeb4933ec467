import { Global, Module } from '@nestjs/common';
import { Environment } from '../environment/environment';
import { HeavyWork } from './heavy-work';
import { LargeReads } from './large-reads';

/** What clients may have of what all share; for any module without importing anything. */
@Global()
@Module({
  providers: [
    {
      provide: HeavyWork,
      inject: [Environment],
      useFactory: (environment: Environment) => new HeavyWork(environment),
    },
    LargeReads,
  ],
  exports: [HeavyWork, LargeReads],
})
export class SharesModule {}
