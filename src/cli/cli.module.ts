import { type DynamicModule, Module } from '@nestjs/common';
import { AppModule } from '../app.module';
import { CliIo } from './cli-io';
import { CliProgram } from './cli-program';
import { DEMO_COMMANDS } from './demo/demo.command';
import { fileCommands } from './import/file-commands';
import { findFileImports } from './import/find-file-imports';
import { ServiceContext } from './service-context';
import { USERS_COMMANDS } from './users/users.command';

/**
 * The commands. They are light: what a command needs of the service it gets from `ServiceContext` as it runs.
 */
@Module({})
export class CliModule {
  static forRun(io: CliIo, service: ServiceContext): DynamicModule {
    return {
      module: CliModule,
      providers: [
        { provide: CliIo, useValue: io },
        { provide: ServiceContext, useValue: service },
        CliProgram,
        ...findFileImports(AppModule).flatMap(fileCommands),
        ...USERS_COMMANDS,
        ...DEMO_COMMANDS,
      ],
    };
  }
}
