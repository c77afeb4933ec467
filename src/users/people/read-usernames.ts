import type { AccessPolicy } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
import { isAllowed } from './is-allowed';

/** The action that the policy is asked about before names of accounts are shown. */
export const READ_USERNAMES = 'read-usernames';

export const mayReadUsernames = (policy: AccessPolicy, user: CurrentUser): Promise<boolean> =>
  isAllowed(() => policy.canUse(user, READ_USERNAMES));

/** An account with its name where the reader may see it. */
export const namedIf = <T extends { readonly username: string | null }>(mayRead: boolean, account: T): T =>
  mayRead ? account : { ...account, username: null };
