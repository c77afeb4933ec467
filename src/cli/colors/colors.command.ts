import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { ColorsImportCommand } from './colors-import.command';

@Command({
  name: 'colors',
  description: 'Colour formulas from a file',
  arguments: '[command]',
  subCommands: [ColorsImportCommand],
})
class ColorsCommand extends CommandGroup {}

export const COLORS_COMMANDS = [ColorsCommand, ColorsImportCommand];
