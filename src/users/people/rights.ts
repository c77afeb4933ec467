import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AI_CAPABILITY, CAPABILITY_NAMES, RECORD_KINDS } from '../../platform/access/access.module';
import { AccessPolicy } from '../../platform/access/access-policy';
import { AccountsService } from '../accounts.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { Environment } from '../../platform/config/environment';
import { mayImportFiles } from '../../platform/access/may-import';
import { isAllowed } from './is-allowed';
import { mayReadUsernames } from './read-usernames';

const KINDS = ['formula', 'project', 'color', 'ingredient'];

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
    return mayImportFiles(this.environment, user);
  }

  /** Returns the service's own kinds of records, then those of extensions. */
  private kinds(): Set<string> {
    return new Set([...KINDS, ...this.provided<object>(RECORD_KINDS).flatMap(Object.keys)]);
  }

  private capabilities(): Set<string> {
    const ofExtensions = this.provided<{ capability: { name: string } }>(AI_CAPABILITY);
    return new Set([
      ...this.provided<string>(CAPABILITY_NAMES),
      ...ofExtensions.map(({ capability }) => capability.name),
    ]);
  }

  /** Returns the values that extensions provide under a token, each one or a list. */
  private provided<T>(token: symbol): T[] {
    const providers = this.discovery.getProviders().filter((provider) => provider.token === token);
    return providers.flatMap(({ instance }) => instance as T | T[]);
  }
}
