import type { Type } from '@nestjs/common';
import { type FileImport, fileImportOf } from '../../common/import/file-import';
import { type ModuleReference, providersOf } from '../../common/module-providers';

/**
 * The providers of a module, and of all that it imports, that say `@ImportsFiles()`. Found without starting
 * anything: help and wrong command lines need no service.
 */
export async function findFileImports(root: ModuleReference): Promise<Type<FileImport>[]> {
  const classes = (await providersOf(root)).filter((provider) => typeof provider === 'function');
  return (classes as Type<FileImport>[]).filter((provider) => fileImportOf(provider));
}
