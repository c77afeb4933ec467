import { type DynamicModule, Module } from '@nestjs/common';
import type { ModuleReference } from '../platform/common/module-providers';
import { AI_COMMANDS } from './ai/ai.command';
import { CliIo } from './cli-io';
import { CliProgram } from './cli-program';
import { CONFIG_COMMANDS } from './config/config.command';
import { DB_COMMANDS } from './db/db.command';
import { DEMO_COMMANDS } from './demo/demo.command';
import type { PlacedCommand } from './extra-commands';
import { fileCommands, findFileImports } from './import/file-commands';
import { LIMITS_COMMANDS } from './regulations/limits.command';
import { ServiceContext } from './service-context';
import { ROOT_MODULE, StartCommand } from './start.command';
import { USERS_COMMANDS } from './users/users.command';

/**
 * The module of all commands. It starts quickly: a command opens the service through `ServiceContext` only when it
 * runs.
 */
@Module({})
export class CliModule {
  /**
   * @param root the service's root module, whose file imports become commands
   * @param extraCommands commands of extensions
   */
  static async forRun(
    io: CliIo,
    service: ServiceContext,
    root: ModuleReference,
    extraCommands: readonly PlacedCommand[],
  ): Promise<DynamicModule> {
    const fileImports = await findFileImports(root);
    return {
      module: CliModule,
      providers: [
        { provide: CliIo, useValue: io },
        { provide: ServiceContext, useValue: service },
        { provide: ROOT_MODULE, useValue: root },
        CliProgram,
        StartCommand,
        ...fileImports.flatMap(fileCommands),
        ...extraCommands.map(({ type }) => type),
        ...AI_COMMANDS,
        ...USERS_COMMANDS,
        ...CONFIG_COMMANDS,
        ...LIMITS_COMMANDS,
        ...DEMO_COMMANDS,
        ...DB_COMMANDS,
      ],
    };
  }
}
