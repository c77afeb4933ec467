import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { type FileImport, fileImportOf } from '../../common/import/file-import';

type ModuleReference = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

/**
 * The providers of a module, and of all that it imports, that say `@ImportsFiles()`. Found without starting
 * anything: help and wrong command lines need no service.
 */
export function findFileImports(root: ModuleReference): Type<FileImport>[] {
  const found = new Set<Type<FileImport>>();
  const seen = new Set<unknown>();
  const visit = (reference: ModuleReference) => {
    if (seen.has(reference) || reference instanceof Promise) return;
    seen.add(reference);
    if ('forwardRef' in reference) return visit((reference as ForwardReference<() => Type>).forwardRef());
    const { module = reference as Type, imports = [], providers = [] } = reference as Partial<DynamicModule>;
    for (const provider of [...providers, ...listed<unknown>(module, 'providers')]) {
      if (typeof provider === 'function' && fileImportOf(provider as Type)) {
        found.add(provider as Type<FileImport>);
      }
    }
    for (const imported of [...imports, ...listed<ModuleReference>(module, 'imports')]) {
      visit(imported as ModuleReference);
    }
  };
  visit(root);
  return [...found];
}

/** What a module's decorator lists. */
const listed = <Item>(module: Type, key: 'imports' | 'providers'): readonly Item[] =>
  (Reflect.getMetadata(key, module) as readonly Item[] | undefined) ?? [];
