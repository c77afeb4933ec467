import { ForbiddenError } from '../errors/service-error';

/**
 * Waits for what an access policy decides, where it has to.
 * @throws ForbiddenError unless it is a yes
 */
export function requireAllowed(decision: boolean | Promise<boolean>): Promise<void> | undefined {
  return decision === true ? undefined : requireYes(decision);
}

async function requireYes(decision: boolean | Promise<boolean>): Promise<void> {
  if (!(await decision)) throw new ForbiddenError();
}
