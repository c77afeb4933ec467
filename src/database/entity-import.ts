import { Injectable, type Type } from '@nestjs/common';
import { type FileImportDescription, ImportsFiles } from '../common/import/file-import';
import type { ImportDraft, ImportRules } from '../common/import/plan-import';
import { describeTable, TableImport } from '../common/import/table-import';
import { Database } from './database';
import { ImportRepository } from './import-repository';

/**
 * A provider that imports rows of files into the table of an entity, as it is or to be extended.
 * @param description what the command line says of it
 */
export function entityImport<Draft extends ImportDraft>(
  entity: Type<{ id: string }>,
  rules: ImportRules<Draft>,
  description: Pick<FileImportDescription<Draft>, 'command' | 'help'>,
): new (database: Database) => TableImport<Draft> {
  @Injectable()
  @ImportsFiles(describeTable(rules, description))
  class EntityImport extends TableImport<Draft> {
    constructor(database: Database) {
      super(new ImportRepository(database, entity, rules), rules);
    }
  }
  return EntityImport;
}
