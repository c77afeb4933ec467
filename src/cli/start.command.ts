import { Inject } from '@nestjs/common';
import { Command, CommandRunner } from 'nest-commander';
import type { ModuleReference } from '../platform/common/module-providers';
import { startService } from '../start-service';

/** Injection token of the module whose commands these are. */
export const ROOT_MODULE = Symbol('ROOT_MODULE');

@Command({ name: 'start', description: 'Start the service, as the settings in the environment say' })
export class StartCommand extends CommandRunner {
  constructor(@Inject(ROOT_MODULE) private readonly module: ModuleReference) {
    super();
  }

  /** Returns when the service listens. The process runs until the service ends. */
  async run(): Promise<void> {
    await startService(this.module);
  }
}
