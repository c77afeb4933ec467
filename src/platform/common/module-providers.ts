import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { notAValue } from './extension-tokens';

export type ModuleReference = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

interface FoundModule {
  readonly place: string;
  readonly providers: readonly Provider[];
}

/**
 * Returns a module and all modules that it imports, each once. Commands need them before an application exists.
 * @throws the rejection of a module that is a promise
 */
async function modulesOf(root: ModuleReference, seen = new Set<unknown>()): Promise<FoundModule[]> {
  const reference = await root;
  if (seen.has(reference)) return [];
  seen.add(reference);
  if ('forwardRef' in reference) {
    return modulesOf((reference as ForwardReference<() => Type>).forwardRef(), seen);
  }
  const { module = reference as Type, imports = [], providers = [] } = reference as Partial<DynamicModule>;
  const found: FoundModule[] = [
    { place: module.name, providers: [...providers, ...decorated<Provider>(module, 'providers')] },
  ];
  for (const imported of [...imports, ...decorated<ModuleReference>(module, 'imports')]) {
    found.push(...(await modulesOf(imported, seen)));
  }
  return found;
}

/** Returns the list in a module's decorator. */
const decorated = <Item>(module: Type, key: 'imports' | 'providers'): readonly Item[] =>
  (Reflect.getMetadata(key, module) as readonly Item[] | undefined) ?? [];

/** Returns the providers of a module and of all modules that it imports, each once. */
export async function providersOf(root: ModuleReference): Promise<Provider[]> {
  const modules = await modulesOf(root);
  return [...new Set(modules.flatMap(({ providers }) => providers))];
}

/**
 * Returns the values that these modules provide under a token, with the names of the modules.
 * @throws ExtensionError for a provider with a class or a factory
 */
export async function placedValuesOf(
  root: ModuleReference,
  token: symbol,
): Promise<{ place: string; value: unknown }[]> {
  const found = new Map<Provider, { place: string; value: unknown }>();
  for (const { place, providers } of await modulesOf(root)) {
    for (const provider of providers) {
      if (typeof provider !== 'object' || provider.provide !== token) continue;
      if (!('useValue' in provider)) throw notAValue(token, place);
      found.set(provider, { place, value: provider.useValue });
    }
  }
  return [...found.values()];
}

/** Returns these values without the names of the modules, with lists flattened. */
export async function listedValuesOf<T>(root: ModuleReference, token: symbol): Promise<T[]> {
  return (await placedValuesOf(root, token)).flatMap(({ value }) => value as T | T[]);
}
