import type { Type } from '@nestjs/common';
import type { CommandRunner } from 'nest-commander';

/**
 * Token under which any module provides, as a value, the list of commands that it adds: classes that say
 * `@Command()` or `@SubCommand()` of nest-commander. They may inject `CliIo` and `ServiceContext`.
 */
export const EXTRA_COMMANDS = Symbol('EXTRA_COMMANDS');

export type ExtraCommands = readonly Type<CommandRunner>[];
