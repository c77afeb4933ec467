import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RECORD_KINDS } from '../../platform/access/access.module';
import { AccessPolicy } from '../../platform/access/access-policy';
import { AI_CAPABILITY, type CapabilityExample } from '../../ai/pipeline/check-capabilities';
import { exploreFormula } from '../../ai/capabilities/explore-formula/explore-formula';
import { extractFormula } from '../../ai/capabilities/extract-formula/extract-formula';
import { predictFormula } from '../../ai/capabilities/predict-formula/predict-formula';
import { recommendColorants } from '../../ai/capabilities/recommend-colorants/recommend-colorants';
import { searchKeywords } from '../../ai/capabilities/search-keywords/search-keywords';
import { AccountsService } from '../accounts.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { Environment } from '../../platform/config/environment';
import { mayImportFiles } from '../../file-routes/import/may-import';
import { isAllowed } from './is-allowed';
import { mayReadUsernames } from './read-usernames';

const KINDS = ['formula', 'project', 'color', 'ingredient'];

const CAPABILITIES = [
  predictFormula,
  exploreFormula,
  extractFormula,
  searchKeywords,
  recommendColorants,
] as const;

/** The rights of a user, as the guards and the access policy decide them. */
@Injectable()
export class Rights {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly accounts: AccountsService,
    private readonly discovery: DiscoveryService,
    private readonly environment: Environment,
  ) {}

  /** Returns the names of the rights: see `MeDto`. */
  async of(user: CurrentUser): Promise<string[]> {
    return [
      ...(await this.ofRecords(user)),
      ...(await this.ofActions(user)),
      ...this.accounts.restrictedRoutesOf(user.role),
    ];
  }

  private async ofRecords(user: CurrentUser): Promise<string[]> {
    const rights: string[] = [];
    for (const kind of this.kinds()) {
      if (await isAllowed(() => this.policy.canCreate(user, kind))) rights.push(`${kind}.create`);
      const scope = await this.policy.changeScope(user, kind);
      if (scope !== 'none') rights.push(`${kind}.change-${scope}`);
    }
    return rights;
  }

  private async ofActions(user: CurrentUser): Promise<string[]> {
    const rights: string[] = [];
    if (await isAllowed(() => this.policy.canConfigure(user))) rights.push('configuration.change');
    if (await mayReadUsernames(this.policy, user)) rights.push('users.read');
    if (this.mayImport(user)) rights.push('files.import');
    for (const name of this.capabilities()) {
      if (await isAllowed(() => this.policy.canUse(user, name))) rights.push(`ai.${name}`);
    }
    return rights;
  }

  private mayImport(user: CurrentUser): boolean {
    return this.environment.labModules.includes('files') && mayImportFiles(this.environment, user);
  }

  /** Returns the service's own kinds of records, then those of extensions. */
  private kinds(): Set<string> {
    return new Set([...KINDS, ...this.provided<object>(RECORD_KINDS).flatMap(Object.keys)]);
  }

  private capabilities(): Set<string> {
    const ofExtensions = this.provided<CapabilityExample>(AI_CAPABILITY).map(({ capability }) => capability);
    return new Set([...CAPABILITIES, ...ofExtensions].map(({ name }) => name));
  }

  /** Returns the values that extensions provide under a token, each one or a list. */
  private provided<T>(token: symbol): T[] {
    const providers = this.discovery.getProviders().filter((provider) => provider.token === token);
    return providers.flatMap(({ instance }) => instance as T | T[]);
  }
}
