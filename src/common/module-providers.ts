import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { notAValue } from './extension-tokens';

export type ModuleReference = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

interface FoundModule {
  readonly place: string;
  readonly providers: readonly Provider[];
}

/**
 * A module and all that it imports, each once. Commands need them before an application exists.
 * @throws what a promise of a module rejects with
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

/** What a module's decorator lists. */
const decorated = <Item>(module: Type, key: 'imports' | 'providers'): readonly Item[] =>
  (Reflect.getMetadata(key, module) as readonly Item[] | undefined) ?? [];

/** The providers of a module and of all that it imports, each once. */
export async function providersOf(root: ModuleReference): Promise<Provider[]> {
  const modules = await modulesOf(root);
  return [...new Set(modules.flatMap(({ providers }) => providers))];
}

/**
 * What they provide as values under a token, with the names of the modules.
 * @throws ExtensionError for one that is made by a class or a factory
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

/** The same without the names, lists flattened. */
export async function listedValuesOf<T>(root: ModuleReference, token: symbol): Promise<T[]> {
  return (await placedValuesOf(root, token)).flatMap(({ value }) => value as T | T[]);
}
