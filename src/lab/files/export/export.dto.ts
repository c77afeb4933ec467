import { UuidField } from '../../../common/validation/fields';
import { QueryEnumField } from '../../../common/validation/query-fields';
import {
  EXPORTED_VERSIONS,
  type ExportedVersions,
} from '../../../formulas/transfer/formula-transfer.service';

/** What can be exported. */
export type ExportedKind = 'formulas' | 'ingredients' | 'colors';

export const EXPORT_FORMATS = ['json', 'csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportQuery {
  @QueryEnumField({ values: EXPORT_FORMATS, default: 'json', description: 'Of the file' })
  format: ExportFormat = 'json';
}

export class FormulaExportQuery extends ExportQuery {
  @QueryEnumField({ values: EXPORTED_VERSIONS, default: 'current', description: 'Of each formula' })
  versions: ExportedVersions = 'current';

  @UuidField({ presence: 'omittable', description: 'Only the formulas of this project' })
  projectId?: string;
}
