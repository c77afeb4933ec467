import { Global, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { ExtensionError, placedUnder, requireMethods, theOneUnder } from '../common/extension-tokens';
import { Environment } from '../config/environment';
import { DatabaseService } from '../database/database.service';
import { AccessPolicy, OwnershipPolicy } from './access-policy';
import { kindsOf, RowFilterService } from './row-filter';

/** Token under which one module provides its own access policy. */
export const CUSTOM_ACCESS_POLICY = Symbol('CUSTOM_ACCESS_POLICY');

/**
 * Token under which any module registers its kinds of records with their tables, so that a policy can have
 * conditions for them: `{ 'stability-test': 'ext_stability_tests' }`.
 */
export const RECORD_KINDS = Symbol('RECORD_KINDS');

type RecordKinds = Readonly<Record<string, string>>;

const TABLE_EXISTS = { text: 'SELECT 1 WHERE to_regclass($1) IS NOT NULL' };

/** Methods of a policy. It has all of them if it is an instance of a class that extends `AccessPolicy`. */
const DECISIONS: readonly (keyof AccessPolicy)[] = [
  'canChange',
  'canChangeIngredient',
  'canConfigure',
  'canCreate',
  'canUse',
  'changeScope',
];

/** Delegates to the policy of an extension, in whichever module it is provided; without one to `OwnershipPolicy`. */
@Injectable()
class ProvidedPolicy extends AccessPolicy implements OnModuleInit {
  private policy: AccessPolicy;

  constructor(
    environment: Environment,
    private readonly discovery: DiscoveryService,
    private readonly rowFilters: RowFilterService,
    private readonly database: DatabaseService,
  ) {
    super();
    this.policy = new OwnershipPolicy(environment.configWriteRole);
  }

  /** Runs when all modules are initialised. */
  async onModuleInit(): Promise<void> {
    const provided = theOneUnder(CUSTOM_ACCESS_POLICY, this.discovery);
    if (provided) {
      requireMethods(`CUSTOM_ACCESS_POLICY in ${provided.place}`, provided.value, DECISIONS);
      this.policy = provided.value as AccessPolicy;
    }
    const placedKinds = placedUnder(RECORD_KINDS, this.discovery);
    const kinds = kindsOf(placedKinds);
    for (const { place, value } of placedKinds) await this.requireTables(place, value as RecordKinds);
    if (!this.policy.readable) {
      this.rowFilters.hideNothing();
      return;
    }
    await this.rowFilters.restrict(provided!.place, this.policy.readable(), kinds, this.database);
  }

  /** @throws ExtensionError naming the module and the table */
  private async requireTables(place: string, kinds: RecordKinds): Promise<void> {
    for (const [kind, table] of Object.entries(kinds)) {
      const [found] = await this.database.query(TABLE_EXISTS, [table]);
      if (!found) throw new ExtensionError(`RECORD_KINDS in ${place}: ${kind} has no table ${table}.`);
    }
  }

  canChange(...decision: Parameters<AccessPolicy['canChange']>) {
    return this.policy.canChange(...decision);
  }

  override canChangeIngredient(...decision: Parameters<AccessPolicy['canChangeIngredient']>) {
    return this.policy.canChangeIngredient(...decision);
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

  override changeScope(...decision: Parameters<AccessPolicy['changeScope']>) {
    return this.policy.changeScope(...decision);
  }
}

/** Token under which a module provides the names of its AI capabilities, for `AccessPolicy.canUse`. */
export const CAPABILITY_NAMES = Symbol('CAPABILITY_NAMES');

/**
 * Token under which a module provides a `CapabilityExample`, or a list of them. The service does not
 * start if a preset does not match the schema of its capability.
 */
export const AI_CAPABILITY = Symbol('AI_CAPABILITY');

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: AccessPolicy, useClass: ProvidedPolicy }, RowFilterService],
  exports: [AccessPolicy, RowFilterService],
})
export class AccessModule {}
