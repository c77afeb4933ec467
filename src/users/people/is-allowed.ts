import { ForbiddenError } from '../../platform/common/errors/service-error';

/** A policy refuses by its answer, or by a ForbiddenError. */
export async function isAllowed(decide: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}
