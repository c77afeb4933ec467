import { ForbiddenError } from '../common/errors/service-error';

/**
 * Waits for a decision of the access policy.
 * @throws ForbiddenError if it is false
 */
export async function requireAllowed(decision: boolean | Promise<boolean>): Promise<void> {
  if (!(await decision)) throw new ForbiddenError();
}
