import type { Provider, Type } from '@nestjs/common';
import type { DiscoveryService, NestContainer } from '@nestjs/core';

/** Something that an extension provides and the service cannot take. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** What a module's decorator lists. */
export const listed = <Item>(module: Type, key: 'imports' | 'providers'): readonly Item[] =>
  (Reflect.getMetadata(key, module) as readonly Item[] | undefined) ?? [];

/**
 * Of what one module provides under a token Nest keeps the last, and drops the others without a word.
 * @param providers all of the module: those of its decorator, and those it is registered with
 * @throws ExtensionError where more than one is under the token
 */
export function refuseSecond(token: symbol, place: string, providers: readonly Provider[]): void {
  const isUnder = (provider: Provider) => typeof provider === 'object' && provider.provide === token;
  if ([...new Set(providers)].filter(isUnder).length < 2) return;
  throw new ExtensionError(
    `${token.description} stands twice in ${place}, and Nest keeps the last only: give one of them a module ` +
      'of its own, or provide one list where the token takes lists.',
  );
}

/**
 * @throws ExtensionError where a module provides two, or one is made anew for each request or each user of
 *   it: what is there now is not one, but an object that its constructor has never seen
 */
function wrappersUnder(token: symbol, discovery: DiscoveryService): Wrapper[] {
  const wrappers = discovery.getProviders().filter((wrapper) => wrapper.token === token);
  for (const wrapper of wrappers) refuseSecond(token, placeOf(wrapper), providersBeside(wrapper));
  const scoped = wrappers.filter((wrapper) => wrapper.isTransient || !wrapper.isDependencyTreeStatic());
  if (scoped.length > 0) {
    throw new ExtensionError(
      `${token.description} in ${placesOf(scoped)} must have the default scope, and so must all that it injects.`,
    );
  }
  return wrappers;
}

/** All providers of its module, as they are written. */
function providersBeside({ host }: Wrapper): Provider[] {
  if (!host) return [];
  // Private, and the only place where Nest keeps what a dynamic module brings.
  const container = host['container'] as NestContainer;
  const registered = container.getDynamicMetadataByToken(host.token, 'providers') ?? [];
  return [...listed<Provider>(host.metatype, 'providers'), ...registered];
}

const placeOf = ({ host }: Wrapper): string => host?.name ?? 'a module without a name';

const placesOf = (wrappers: readonly Wrapper[]): string => wrappers.map(placeOf).join(' and ');

/** The instances that all modules provide under a token. Ready once modules are initialised. */
export function providedUnder<T>(token: symbol, discovery: DiscoveryService): T[] {
  return wrappersUnder(token, discovery).map(({ instance }) => instance as T);
}

/** The same with the names of the modules, for what is checked when the application starts. */
export function placedUnder(token: symbol, discovery: DiscoveryService): { place: string; value: unknown }[] {
  return wrappersUnder(token, discovery).map((wrapper) => ({
    place: placeOf(wrapper),
    value: wrapper.instance as unknown,
  }));
}

/**
 * What they provide under a token that means one thing.
 * @throws ExtensionError where it is provided twice
 */
export function theOneUnder<T>(token: symbol, discovery: DiscoveryService): T | undefined {
  const wrappers = wrappersUnder(token, discovery);
  if (wrappers.length > 1) {
    throw new ExtensionError(
      `${token.description} is provided in ${placesOf(wrappers)}: there can be only one.`,
    );
  }
  return wrappers[0]?.instance as T | undefined;
}

/**
 * The values that all modules of the application provide under a token, known before anything is made.
 * @throws ExtensionError where one is not provided with `useValue`
 */
export function valuesUnder<T>(token: symbol, discovery: DiscoveryService): T[] {
  const wrappers = wrappersUnder(token, discovery);
  // A class or a factory has a metatype.
  const made = wrappers.filter(({ metatype }) => metatype !== null);
  if (made.length > 0) {
    throw new ExtensionError(
      `${token.description} in ${placesOf(made)} must be a value (useValue): it is needed before anything is made.`,
    );
  }
  return wrappers.map(({ instance }) => instance as T);
}

/**
 * The one thing that they provide under a token, where it must have these methods; null is none, from a
 * factory that knows by the settings whether there is one.
 * @throws ExtensionError where it is provided twice, or lacks one
 */
export function theOneWith<T extends object>(
  token: symbol,
  discovery: DiscoveryService,
  methods: readonly (keyof T & string)[],
): T | undefined {
  const value = theOneUnder<T | null>(token, discovery);
  const wrappers = wrappersUnder(token, discovery);
  if (wrappers.length === 0 || value === null) return undefined;
  requireMethods(`${token.description} in ${placesOf(wrappers)}`, value, methods);
  return value;
}

/**
 * @param what is provided, and where
 * @throws ExtensionError where it lacks one of these methods
 */
export function requireMethods(what: string, value: unknown, methods: readonly string[]): void {
  const given = value as Record<string, unknown> | null | undefined;
  const missing = methods.filter((method) => typeof given?.[method] !== 'function');
  if (missing.length === 0) return;
  const named = missing.map((method) => `${method}()`).join(' and ');
  throw new ExtensionError(`${what} must have ${named}.`);
}
