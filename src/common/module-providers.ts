import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { ExtensionError } from './extension-tokens';

export type ModuleReference = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

/**
 * The providers of a module and of all that it imports, each once, without starting anything.
 * @throws what a promise of a module rejects with
 */
export async function providersOf(root: ModuleReference): Promise<Provider[]> {
  const found = new Set<Provider>();
  const seen = new Set<unknown>();
  const visit = async (given: ModuleReference): Promise<void> => {
    const reference = await given;
    if (seen.has(reference)) return;
    seen.add(reference);
    if ('forwardRef' in reference) return visit((reference as ForwardReference<() => Type>).forwardRef());
    const { module = reference as Type, imports = [], providers = [] } = reference as Partial<DynamicModule>;
    for (const provider of [...providers, ...listed<Provider>(module, 'providers')]) found.add(provider);
    for (const imported of [...imports, ...listed<ModuleReference>(module, 'imports')]) {
      await visit(imported as ModuleReference);
    }
  };
  await visit(root);
  return [...found];
}

/**
 * What they provide as values under a token, lists taken apart.
 * @throws ExtensionError where it is made by a class or a factory, which would not be looked at
 */
export async function listedValuesOf<T>(root: ModuleReference, token: symbol): Promise<T[]> {
  const providers = await providersOf(root);
  return providers.flatMap((provider) => {
    if (typeof provider !== 'object' || provider.provide !== token) return [];
    if ('useValue' in provider) return [provider.useValue].flat() as T[];
    throw new ExtensionError(
      `${token.description} must be a value (useValue): it is needed before anything is made.`,
    );
  });
}

/** What a module's decorator lists. */
const listed = <Item>(module: Type, key: 'imports' | 'providers'): readonly Item[] =>
  (Reflect.getMetadata(key, module) as readonly Item[] | undefined) ?? [];
