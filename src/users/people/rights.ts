import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AI_CAPABILITY, CAPABILITY_NAMES, RECORD_KINDS } from '../../platform/access/access.module';
import { AccessPolicy, mayImportFiles } from '../../platform/access/access-policy';
import { AccountsService } from '../accounts.service';
import type { CurrentUser } from '../../platform/common/current-user';
import { Environment } from '../../platform/config/environment';
import { ForbiddenError } from '../../platform/common/errors/service-error';

/** The action that the policy is asked about before names of accounts are shown. */
export const READ_USERNAMES = 'read-usernames';

export const mayReadUsernames = (policy: AccessPolicy, user: CurrentUser): Promise<boolean> =>
  isAllowed(() => policy.canUse(user, READ_USERNAMES));

/** An account with its name where the reader may see it. */
export const namedIf = <T extends { readonly username: string | null }>(mayRead: boolean, account: T): T =>
  mayRead ? account : { ...account, username: null };

/** A policy refuses by its answer, or by a ForbiddenError. */
export async function isAllowed(decide: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

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
