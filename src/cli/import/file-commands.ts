import type { Type } from '@nestjs/common';
import { Command, type CommandRunner } from 'nest-commander';
import { type FileImport, fileImportOf } from '../../files/file-import';
import { CommandGroup } from '../cli-io';
import { type ModuleReference, providersOf } from '../../platform/common/module-providers';
import { exportCommand } from './export.command';
import { importCommand } from './import.command';

/** Creates the command of a resource's files with the subcommands `import` and, if supported, `export`. */
export function fileCommands(importer: Type<FileImport>): Type<CommandRunner>[] {
  const description = fileImportOf(importer);
  if (!description) throw new Error(`${importer.name} does not say @ImportsFiles()`);
  const subCommands = [
    importCommand(importer, description),
    ...(description.exported ? [exportCommand(importer, description)] : []),
  ];

  class FilesCommand extends CommandGroup {}
  Object.defineProperty(FilesCommand, 'name', { value: `${description.command}Command` });
  Command({
    name: description.command,
    description: description.help.command,
    arguments: '[command]',
    subCommands,
  })(FilesCommand);
  return [FilesCommand, ...subCommands];
}

/**
 * Finds the providers with `@ImportsFiles()` of a module and of all modules that it imports, without starting
 * anything: help and wrong command lines must not need the service.
 */
export async function findFileImports(root: ModuleReference): Promise<Type<FileImport>[]> {
  const classes = (await providersOf(root)).filter((provider) => typeof provider === 'function');
  return (classes as Type<FileImport>[]).filter((provider) => fileImportOf(provider));
}
