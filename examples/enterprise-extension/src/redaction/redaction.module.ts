import { readFile } from 'node:fs/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { AI_INTERCEPTOR } from 'formula-development-service';
import { CustomerNames } from './customer-names';
import { RedactionInterceptor } from './redaction.interceptor';

@Module({})
export class RedactionModule {
  /**
   * A promise, which `extensions` takes as well: without the names nothing may start.
   * @param file a name in each line
   */
  static async withNamesOf(file: string): Promise<DynamicModule> {
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
    const names = new CustomerNames(lines.filter((line) => line !== ''));
    return {
      module: RedactionModule,
      providers: [
        { provide: CustomerNames, useValue: names },
        { provide: AI_INTERCEPTOR, useClass: RedactionInterceptor },
      ],
    };
  }
}
