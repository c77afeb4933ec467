import { Global, Module } from '@nestjs/common';
import { AccessPolicy, OwnershipPolicy } from './common/access/access-policy';
import { Environment } from './environment/environment';

/** Token under which an extension provides an access policy of its own. */
export const CUSTOM_ACCESS_POLICY = Symbol('CUSTOM_ACCESS_POLICY');

@Global()
@Module({
  providers: [
    {
      provide: AccessPolicy,
      inject: [Environment, { token: CUSTOM_ACCESS_POLICY, optional: true }],
      useFactory: (environment: Environment, custom?: AccessPolicy) =>
        custom ?? new OwnershipPolicy(environment.configWriteRole),
    },
  ],
  exports: [AccessPolicy],
})
export class AccessModule {}
