import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { CommandSettings } from './command-settings';
import { DbBackupCommand } from './db-backup.command';
import { DbCopyCommand } from './db-copy.command';
import { DbRestoreCommand } from './db-restore.command';

const COMMANDS = [DbBackupCommand, DbRestoreCommand, DbCopyCommand];

@Command({
  name: 'db',
  description: 'Backups of the database, and the way to another one',
  arguments: '[command]',
  subCommands: COMMANDS,
})
class DbCommand extends CommandGroup {}

export const DB_COMMANDS = [CommandSettings, DbCommand, ...COMMANDS];
