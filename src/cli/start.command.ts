import { Inject } from '@nestjs/common';
import { Command, CommandRunner } from 'nest-commander';
import type { ModuleReference } from '../common/module-providers';
import { startService } from '../start-service';

/** The module whose commands these are. */
export const ROOT_MODULE = Symbol('ROOT_MODULE');

@Command({ name: 'start', description: 'Start the service, as the settings in the environment say' })
export class StartCommand extends CommandRunner {
  constructor(@Inject(ROOT_MODULE) private readonly module: ModuleReference) {
    super();
  }

  /** Ends when the service listens: the process goes on as long as that does. */
  async run(): Promise<void> {
    await startService(this.module);
  }
}
