import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { ExtensionError, listed, refuseSecond } from './extension-tokens';

export type ModuleReference = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

interface FoundModule {
  readonly place: string;
  readonly providers: readonly Provider[];
}

/**
 * A module and all that it imports, each once, without starting anything.
 * @throws what a promise of a module rejects with
 */
async function modulesOf(root: ModuleReference): Promise<FoundModule[]> {
  const found: FoundModule[] = [];
  const seen = new Set<unknown>();
  const visit = async (given: ModuleReference): Promise<void> => {
    const reference = await given;
    if (seen.has(reference)) return;
    seen.add(reference);
    if ('forwardRef' in reference) return visit((reference as ForwardReference<() => Type>).forwardRef());
    const { module = reference as Type, imports = [], providers = [] } = reference as Partial<DynamicModule>;
    found.push({ place: module.name, providers: [...providers, ...listed<Provider>(module, 'providers')] });
    for (const imported of [...imports, ...listed<ModuleReference>(module, 'imports')]) {
      await visit(imported as ModuleReference);
    }
  };
  await visit(root);
  return found;
}

/**
 * The providers of a module and of all that it imports, each once, without starting anything.
 * @throws what a promise of a module rejects with
 */
export async function providersOf(root: ModuleReference): Promise<Provider[]> {
  const modules = await modulesOf(root);
  return [...new Set(modules.flatMap(({ providers }) => providers))];
}

/**
 * What they provide as values under a token, with the names of the modules.
 * @throws ExtensionError where it is made by a class or a factory, which would not be looked at, or a module
 *   provides two
 */
export async function placedValuesOf(
  root: ModuleReference,
  token: symbol,
): Promise<{ place: string; value: unknown }[]> {
  const found = new Map<Provider, { place: string; value: unknown }>();
  for (const { place, providers } of await modulesOf(root)) {
    refuseSecond(token, place, providers);
    for (const provider of providers) {
      if (typeof provider !== 'object' || provider.provide !== token) continue;
      if (!('useValue' in provider)) {
        throw new ExtensionError(
          `${token.description} in ${place} must be a value (useValue): it is needed before anything is made.`,
        );
      }
      found.set(provider, { place, value: provider.useValue });
    }
  }
  return [...found.values()];
}

/** The same without the names, lists taken apart. */
export async function listedValuesOf<T>(root: ModuleReference, token: symbol): Promise<T[]> {
  return (await placedValuesOf(root, token)).flatMap(({ value }) => value as T | T[]);
}
