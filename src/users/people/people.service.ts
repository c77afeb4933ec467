import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AI_CAPABILITY, CAPABILITY_NAMES, RECORD_KINDS } from '../../platform/access/access.module';
import { AccessPolicy, mayImportFiles, requireAllowed } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
import { Environment } from '../../platform/config/environment';
import { RestrictedRoutes } from '../route-checks';
import { UsersRepository } from '../users.repository';
import type { MeDto, UserNameDto } from './people.dto';
import { isAllowed, mayReadUsernames, READ_USERNAMES } from './rights';

const KINDS = ['formula', 'project', 'color', 'ingredient'];

/** The names and rights of accounts, as the guards and the access policy decide them. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly users: UsersRepository,
    private readonly policy: AccessPolicy,
    private readonly routes: RestrictedRoutes,
    private readonly discovery: DiscoveryService,
    private readonly environment: Environment,
  ) {}

  /** Returns the account with the names of its rights. */
  async me(user: CurrentUser): Promise<MeDto> {
    const { id, username, role } = user;
    const routes = this.routes.admitting(role);
    const rights = [...(await this.ofRecords(user)), ...(await this.ofActions(user)), ...routes];
    return { id, username, role, rights };
  }

  /**
   * Returns the names of accounts, disabled ones too, ordered by name. Unknown ids are left out.
   * @throws ForbiddenError where the policy does not let the user see names
   */
  async names(user: CurrentUser, ids: readonly string[]): Promise<UserNameDto[]> {
    await requireAllowed(this.policy.canUse(user, READ_USERNAMES));
    return this.users.findNames(ids);
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
    if (mayImportFiles(this.environment, user)) rights.push('files.import');
    for (const name of this.capabilities()) {
      if (await isAllowed(() => this.policy.canUse(user, name))) rights.push(`ai.${name}`);
    }
    return rights;
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
