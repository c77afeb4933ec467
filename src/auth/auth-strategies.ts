/** Our own strategy in a list of `AUTH_STRATEGIES`: the bearer tokens that this service issues. */
export const TOKEN_STRATEGY = 'jwt';

/**
 * Token under which one module provides the names of the passport strategies that admit a request, in the
 * order in which they are tried; `TOKEN_STRATEGY` is ours. Without it, only ours. A strategy's user is a
 * `CurrentUser`.
 */
export const AUTH_STRATEGIES = Symbol('AUTH_STRATEGIES');

/** The names that passport knows. */
export const passportNames = (own: { name: string }, names: readonly string[] = [TOKEN_STRATEGY]): string[] =>
  names.map((name) => (name === TOKEN_STRATEGY ? own.name : name));
