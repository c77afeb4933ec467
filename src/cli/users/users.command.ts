import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { UsersCreateAdminCommand } from './users-create-admin.command';
import { UsersDisableCommand } from './users-disable.command';
import { UsersEnableCommand } from './users-enable.command';
import { UsersListCommand } from './users-list.command';
import { UsersSetPasswordCommand } from './users-set-password.command';
import { UsersSetRoleCommand } from './users-set-role.command';

const COMMANDS = [
  UsersListCommand,
  UsersCreateAdminCommand,
  UsersSetRoleCommand,
  UsersSetPasswordCommand,
  UsersDisableCommand,
  UsersEnableCommand,
];

@Command({
  name: 'users',
  description: 'Accounts and their roles',
  arguments: '[command]',
  subCommands: COMMANDS,
})
class UsersCommand extends CommandGroup {}

export const USERS_COMMANDS = [UsersCommand, ...COMMANDS];
