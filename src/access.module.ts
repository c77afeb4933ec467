import { Global, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { AccessPolicy, OwnershipPolicy } from './common/access/access-policy';
import { theOneUnder } from './common/extension-tokens';
import { Environment } from './environment/environment';

/** Token under which one module provides an access policy of its own. */
export const CUSTOM_ACCESS_POLICY = Symbol('CUSTOM_ACCESS_POLICY');

/** Decides as the policy of an extension does, wherever it stands; without one by ownership. */
@Injectable()
class ProvidedPolicy extends AccessPolicy implements OnModuleInit {
  private policy: AccessPolicy;

  constructor(
    environment: Environment,
    private readonly discovery: DiscoveryService,
  ) {
    super();
    this.policy = new OwnershipPolicy(environment.configWriteRole);
  }

  /** By then all modules are there. */
  onModuleInit(): void {
    this.policy = theOneUnder<AccessPolicy>(CUSTOM_ACCESS_POLICY, this.discovery) ?? this.policy;
  }

  canChange(...decision: Parameters<AccessPolicy['canChange']>) {
    return this.policy.canChange(...decision);
  }

  canConfigure(...decision: Parameters<AccessPolicy['canConfigure']>) {
    return this.policy.canConfigure(...decision);
  }
}

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: AccessPolicy, useClass: ProvidedPolicy }],
  exports: [AccessPolicy],
})
export class AccessModule {}
