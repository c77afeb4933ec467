import { Global, Module } from '@nestjs/common';
import { Environment } from '../environment/environment';
import { HeavyWork } from './heavy-work';

/** What clients may have of what all share; for any module without importing anything. */
@Global()
@Module({
  providers: [
    {
      provide: HeavyWork,
      inject: [Environment],
      useFactory: (environment: Environment) => new HeavyWork(environment),
    },
  ],
  exports: [HeavyWork],
})
export class SharesModule {}
