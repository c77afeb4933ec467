import { uuidFault } from '../../platform/validation/id-list';
import { QueryEnumField, QueryTextField } from '../../platform/validation/query-fields';
import { FILE_FORMATS, type FileFormat } from '../../files/writing/export-pieces';
import { EXPORTED_VERSIONS, type ExportedVersions } from '../../formulas/files/formula-transfer.service';

/** Kinds of records that can be exported. */
export type ExportedKind = 'formulas' | 'ingredients' | 'colors';

export class ExportQuery {
  @QueryEnumField({ values: FILE_FORMATS, default: 'json', description: 'Of the file' })
  format: FileFormat = 'json';
}

export class FormulaExportQuery extends ExportQuery {
  @QueryEnumField({ values: EXPORTED_VERSIONS, default: 'current', description: 'Of each formula' })
  versions: ExportedVersions = 'current';

  @QueryTextField({ max: 36, rule: uuidFault, description: 'Only the formulas of this project', example: '' })
  projectId?: string;
}
