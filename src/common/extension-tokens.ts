import type { DiscoveryService } from '@nestjs/core';

/** Something that an extension provides and the service cannot take. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/** A provider under a token, with the name of its module. */
export interface Placed {
  readonly place: string;
  readonly value: unknown;
  /** Whether it was provided by `useValue`. */
  readonly isValue: boolean;
}

/**
 * What all modules provide under a token. Instances are there once modules are initialised, values before.
 * @throws ExtensionError for a provider with another scope than the default one
 */
export function placedUnder(token: symbol, discovery: DiscoveryService): Placed[] {
  const wrappers = discovery.getProviders().filter((wrapper) => wrapper.token === token);
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
 * The values that all modules provide under a token, before anything is created.
 * @throws ExtensionError for one that is not provided with `useValue`
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
 * What is provided under a token that allows one provider.
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
 * The same, with these methods. A factory that returns null provides none.
 * @throws ExtensionError if there are two, or a method is missing
 */
export function theOneWith<T extends object>(
  token: symbol,
  discovery: DiscoveryService,
  methods: readonly (keyof T & string)[],
): T | undefined {
  const placed = theOneUnder(token, discovery);
  if (!placed || placed.value === null) return undefined;
  requireMethods(`${token.description} in ${placed.place}`, placed.value, methods);
  return placed.value as T;
}

/**
 * @param what is provided, and where
 * @throws ExtensionError if a method is missing
 */
export function requireMethods(what: string, value: unknown, methods: readonly string[]): void {
  const given = value as Record<string, unknown> | null | undefined;
  const missing = methods.filter((method) => typeof given?.[method] !== 'function');
  if (missing.length === 0) return;
  throw new ExtensionError(`${what} must have ${missing.map((method) => `${method}()`).join(' and ')}.`);
}
