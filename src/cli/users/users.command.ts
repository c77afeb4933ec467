import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { UsersCreateAdminCommand } from './users-create-admin.command';
import { UsersSetRoleCommand } from './users-set-role.command';

@Command({
  name: 'users',
  description: 'Accounts and their roles',
  arguments: '[command]',
  subCommands: [UsersCreateAdminCommand, UsersSetRoleCommand],
})
class UsersCommand extends CommandGroup {}

export const USERS_COMMANDS = [UsersCommand, UsersCreateAdminCommand, UsersSetRoleCommand];
