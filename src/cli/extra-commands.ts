import type { INestApplicationContext, Type } from '@nestjs/common';
import { CommandRunner } from 'nest-commander';
import { ExtensionError } from '../common/extension-tokens';
import { type ModuleReference, placedValuesOf } from '../common/module-providers';

/**
 * Token under which any module provides, as a value, the list of commands that it adds: classes that say
 * `@Command()` or `@SubCommand()` of nest-commander. They may inject `CliIo` and `ServiceContext`.
 */
export const EXTRA_COMMANDS = Symbol('EXTRA_COMMANDS');

export type ExtraCommands = readonly Type<CommandRunner>[];

/** A command, and the module that provides it. */
export interface PlacedCommand {
  readonly place: string;
  readonly type: Type<CommandRunner>;
}

/**
 * The commands among what modules provide under `EXTRA_COMMANDS`.
 * @throws ExtensionError that names the module where one is no command, or not provided as a value
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
 * @param app with all commands made
 * @throws ExtensionError that names a class which nest-commander has left out: it has no decorator, or is
 *   among no command's `subCommands`
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
