import { Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import { AccountsService } from '../accounts.service';
import type { CurrentUser } from '../../platform/common/current-user';
import type { MeDto, UserNameDto } from './people.dto';
import { READ_USERNAMES, Rights } from './rights';

@Injectable()
export class PeopleService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly policy: AccessPolicy,
    private readonly rights: Rights,
  ) {}

  /** The account with what it may do. */
  async me(user: CurrentUser): Promise<MeDto> {
    const { id, username, role } = user;
    return { id, username, role, rights: await this.rights.of(user) };
  }

  /**
   * The names of accounts; ids of nobody are left out.
   * @throws ForbiddenError where the policy does not let the user see names
   */
  async names(user: CurrentUser, ids: readonly string[]): Promise<UserNameDto[]> {
    await requireAllowed(this.policy.canUse(user, READ_USERNAMES));
    return this.accounts.findNames(ids);
  }
}
