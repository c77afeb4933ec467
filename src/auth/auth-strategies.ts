import type { AuthModuleOptions } from '@nestjs/passport';

/** Our own strategy in a list of `AUTH_STRATEGIES`: the bearer tokens that this service issues. */
export const TOKEN_STRATEGY = 'jwt';

/**
 * Token under which an extension provides the names of the passport strategies that admit a request, in the
 * order in which they are tried; `TOKEN_STRATEGY` is ours. Without it, only ours. A strategy's user is a
 * `CurrentUser`.
 */
export const AUTH_STRATEGIES = Symbol('AUTH_STRATEGIES');

/** What the guard asks passport for: nothing is kept in a session. */
export function authOptions(
  own: { name: string },
  names: readonly string[] = [TOKEN_STRATEGY],
): AuthModuleOptions {
  return {
    defaultStrategy: names.map((name) => (name === TOKEN_STRATEGY ? own.name : name)),
    session: false,
  };
}
