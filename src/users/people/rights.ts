import type { AccessPolicy } from '../../platform/access/access-policy';
import type { CurrentUser } from '../../platform/common/current-user';
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
