import type { DiscoveryService } from '@nestjs/core';

/** An extension provides something that the service cannot accept. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/** A provider under a token, with the name of its module. */
export interface Placed {
  readonly place: string;
  readonly value: unknown;
  /** True if it was provided with `useValue`. */
  readonly isValue: boolean;
}

/**
 * Returns the providers of all modules under a token. Instances exist once modules are initialised, values before.
 * @throws ExtensionError for a provider with another scope than the default one, and for a string in place of the token
 */
export function placedUnder(token: symbol, discovery: DiscoveryService): Placed[] {
  const all = discovery.getProviders();
  const misnamed = all.find((wrapper) => wrapper.token === token.description);
  if (misnamed) {
    throw new ExtensionError(
      `'${token.description}' in ${misnamed.host?.name} is a string: import ${token.description} from formula-development-service.`,
    );
  }
  const wrappers = all.filter((wrapper) => wrapper.token === token);
  return wrappers.map((wrapper) => {
    const place = wrapper.host?.name ?? 'a module without a name';
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
      throw new ExtensionError(
        `${token.description} in ${place} must have the default scope, and so must all that it injects.`,
      );
    }
    return { place, value: wrapper.instance as unknown, isValue: wrapper.metatype === null };
  });
}

/**
 * Returns the providers of all modules under a token, each of which is one or a list of them.
 * @param checked returns the provider, or throws what is wrong with it
 * @throws ExtensionError if two have the same name
 */
export function namedUnder<T extends { readonly name: string }>(
  token: symbol,
  discovery: DiscoveryService,
  checked: (given: unknown, place: string) => T,
): T[] {
  const places = new Map<string, string>();
  return placedUnder(token, discovery).flatMap(({ place, value }) =>
    [value].flat<unknown[]>().map((given) => {
      const found = checked(given, place);
      const other = places.get(found.name);
      if (other !== undefined) {
        throw new ExtensionError(
          `${token.description} is named ${found.name} in ${other} and ${place}: names are unique.`,
        );
      }
      places.set(found.name, place);
      return found;
    }),
  );
}

/**
 * Returns the values that all modules provide under a token, before any provider is instantiated.
 * @throws ExtensionError for a provider without `useValue`
 */
export function valuesUnder<T>(token: symbol, discovery: DiscoveryService): T[] {
  return placedUnder(token, discovery).map(({ place, value, isValue }) => {
    if (!isValue) throw notAValue(token, place);
    return value as T;
  });
}

export const notAValue = (token: symbol, place: string): ExtensionError =>
  new ExtensionError(
    `${token.description} in ${place} must be a value (useValue): it is needed before anything is made.`,
  );

/**
 * Returns the provider under a token that allows only one.
 * @throws ExtensionError if there are two
 */
export function theOneUnder(token: symbol, discovery: DiscoveryService): Placed | undefined {
  const placed = placedUnder(token, discovery);
  if (placed.length > 1) {
    const places = placed.map(({ place }) => place).join(' and ');
    throw new ExtensionError(`${token.description} is provided in ${places}: there can be only one.`);
  }
  return placed[0];
}

/**
 * @param what name and module of the provider, for the message
 * @throws ExtensionError if a method is missing
 */
export function requireMethods(what: string, value: unknown, methods: readonly string[]): void {
  const given = value as Record<string, unknown> | null | undefined;
  const missing = methods.filter((method) => typeof given?.[method] !== 'function');
  if (missing.length === 0) return;
  throw new ExtensionError(`${what} must have ${missing.map((method) => `${method}()`).join(' and ')}.`);
}
