import { ForbiddenError } from '../common/errors/service-error';

/**
 * Waits for what an access policy decides.
 * @throws ForbiddenError unless it is a yes
 */
export async function requireAllowed(decision: boolean | Promise<boolean>): Promise<void> {
  if (!(await decision)) throw new ForbiddenError();
}
