import type { INestApplicationContext, Type } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';
import { ExtensionError } from '../platform/common/extension-tokens';
import { type ModuleReference, placedValuesOf } from '../platform/common/module-providers';

/**
 * Token under which any module provides, as a value, a list of additional commands: classes with nest-commander's
 * `@Command()` or `@SubCommand()`. They may inject `CliIo` and `ServiceContext`.
 */
export const EXTRA_COMMANDS = Symbol('EXTRA_COMMANDS');

export type ExtraCommands = readonly Type<CommandRunner>[];

/** A command, and the module that provides it. */
export interface PlacedCommand {
  readonly place: string;
  readonly type: Type<CommandRunner>;
}

/**
 * Returns the commands that modules provide under `EXTRA_COMMANDS`.
 * @throws ExtensionError naming the module if one is not a command, or is not provided as a value
 */
export async function extraCommandsOf(root: ModuleReference): Promise<readonly PlacedCommand[]> {
  return (await placedValuesOf(root, EXTRA_COMMANDS)).flatMap(({ place, value }) => {
    const commands = [value as Partial<Type> | null | undefined].flat();
    if (commands.every((command) => command?.prototype instanceof CommandRunner)) {
      return (commands as Type<CommandRunner>[]).map((type) => ({ place, type }));
    }
    throw new ExtensionError(
      `EXTRA_COMMANDS in ${place} must be a list of classes that extend CommandRunner.`,
    );
  });
}

/**
 * @param app context in which all commands have been created
 * @throws ExtensionError naming a class that nest-commander has ignored, because it has no decorator or is missing
 *   in the `subCommands` of a command
 */
export function refuseLeftOut(commands: readonly PlacedCommand[], app: INestApplicationContext): void {
  for (const { place, type } of commands) {
    const { command } = app.get<{ command?: unknown }>(type);
    if (command) continue;
    throw new ExtensionError(
      `EXTRA_COMMANDS in ${place}: ${type.name} is no command: it needs @Command(), or @SubCommand() and a ` +
        'command that names it among its subCommands.',
    );
  }
}
