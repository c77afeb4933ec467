import { Global, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { AccessPolicy, OwnershipPolicy } from './common/access/access-policy';
import { placedUnder, theOneUnder } from './common/extension-tokens';
import { Database } from './database/database';
import { kindsOf, Readers } from './database/readers';
import { Environment } from './environment/environment';

/** Token under which one module provides an access policy of its own. */
export const CUSTOM_ACCESS_POLICY = Symbol('CUSTOM_ACCESS_POLICY');

/**
 * Token under which any module names its own kinds of records, each with its table, so that a policy can have
 * conditions of them: `{ 'stability-test': 'ext_stability_tests' }`.
 */
export const RECORD_KINDS = Symbol('RECORD_KINDS');

/** Decides as the policy of an extension does, wherever it stands; without one by ownership. */
@Injectable()
class ProvidedPolicy extends AccessPolicy implements OnModuleInit {
  private policy: AccessPolicy;

  constructor(
    environment: Environment,
    private readonly discovery: DiscoveryService,
    private readonly readers: Readers,
    private readonly database: Database,
  ) {
    super();
    this.policy = new OwnershipPolicy(environment.configWriteRole);
  }

  /** By then all modules are there. */
  async onModuleInit(): Promise<void> {
    this.policy = theOneUnder<AccessPolicy>(CUSTOM_ACCESS_POLICY, this.discovery) ?? this.policy;
    const kinds = kindsOf(placedUnder(RECORD_KINDS, this.discovery));
    if (!this.policy.readable) {
      this.readers.hideNothing();
      return;
    }
    const [provided] = placedUnder(CUSTOM_ACCESS_POLICY, this.discovery);
    await this.readers.restrict(provided!.place, this.policy.readable(), kinds, this.database);
  }

  canChange(...decision: Parameters<AccessPolicy['canChange']>) {
    return this.policy.canChange(...decision);
  }

  canConfigure(...decision: Parameters<AccessPolicy['canConfigure']>) {
    return this.policy.canConfigure(...decision);
  }

  override canCreate(...decision: Parameters<AccessPolicy['canCreate']>) {
    return this.policy.canCreate(...decision);
  }

  override canUse(...decision: Parameters<AccessPolicy['canUse']>) {
    return this.policy.canUse(...decision);
  }
}

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: AccessPolicy, useClass: ProvidedPolicy }, Readers],
  exports: [AccessPolicy, Readers],
})
export class AccessModule {}
