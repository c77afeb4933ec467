import type { Type } from '@nestjs/common';
import { Command, type CommandRunner } from 'nest-commander';
import { type FileImport, fileImportOf } from '../../common/import/file-import';
import { CommandGroup } from '../command-group';
import { exportCommand } from './export.command';
import { importCommand } from './import.command';

/** The command of a resource's files, with `import` and, where it has one, `export` below it. */
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
