import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { IngredientsExportCommand } from './ingredients-export.command';
import { IngredientsImportCommand } from './ingredients-import.command';

@Command({
  name: 'ingredients',
  description: 'The ingredient catalogue as a file',
  arguments: '[command]',
  subCommands: [IngredientsImportCommand, IngredientsExportCommand],
})
class IngredientsCommand extends CommandGroup {}

export const INGREDIENTS_COMMANDS = [IngredientsCommand, IngredientsImportCommand, IngredientsExportCommand];
