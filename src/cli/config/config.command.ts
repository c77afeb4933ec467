import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { ConfigResealCommand } from './config-reseal.command';

const COMMANDS = [ConfigResealCommand];

@Command({
  name: 'config',
  description: 'The configuration that is stored in the database',
  arguments: '[command]',
  subCommands: COMMANDS,
})
class ConfigCommand extends CommandGroup {}

export const CONFIG_COMMANDS = [ConfigCommand, ...COMMANDS];
