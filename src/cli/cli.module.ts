import { type DynamicModule, Module } from '@nestjs/common';
import { type ModuleReference, listedValuesOf } from '../common/module-providers';
import { CliIo } from './cli-io';
import { CliProgram } from './cli-program';
import { DEMO_COMMANDS } from './demo/demo.command';
import { EXTRA_COMMANDS, type ExtraCommands } from './extra-commands';
import { fileCommands } from './import/file-commands';
import { findFileImports } from './import/find-file-imports';
import { ServiceContext } from './service-context';
import { ROOT_MODULE, StartCommand } from './start.command';
import { USERS_COMMANDS } from './users/users.command';

/**
 * The commands. They are light: what a command needs of the service it gets from `ServiceContext` as it runs.
 */
@Module({})
export class CliModule {
  /** @param root the service whose imports and own commands there are */
  static async forRun(io: CliIo, service: ServiceContext, root: ModuleReference): Promise<DynamicModule> {
    const fileImports = await findFileImports(root);
    const extraCommands = await listedValuesOf<ExtraCommands[number]>(root, EXTRA_COMMANDS);
    return {
      module: CliModule,
      providers: [
        { provide: CliIo, useValue: io },
        { provide: ServiceContext, useValue: service },
        { provide: ROOT_MODULE, useValue: root },
        CliProgram,
        StartCommand,
        ...fileImports.flatMap(fileCommands),
        ...extraCommands,
        ...USERS_COMMANDS,
        ...DEMO_COMMANDS,
      ],
    };
  }
}
