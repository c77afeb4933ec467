import type { DocumentLanguage, LabDocument } from '../../documents/document';
import type { ExportedSubstancesDto, ShownRowDto } from './raw-material.dto';
import { SUBSTANCES_FILE } from './substances-file.words';
import { defineTexts } from '../../platform/texts/define-texts';

/** The headings of the columns are the fields, which an import takes back. */
const substancesTexts = defineTexts({
  'substances.title': ['原料组成', 'Raw material compositions'],
  'substances.file-name': ['原料组成', 'compositions'],
  'substances.table': ['物质', 'Substances'],
  'substances.rows': ['行数', 'Rows'],
});

export function substancesDocument({ rows }: ExportedSubstancesDto, language: DocumentLanguage): LabDocument {
  const t = substancesTexts.in(language);
  return {
    title: t('substances.title'),
    fileName: t('substances.file-name'),
    facts: [[t('substances.rows'), rows.length]],
    tables: [
      {
        title: t('substances.table'),
        columns: SUBSTANCES_FILE.columns.map(({ field, holds }) => ({
          title: field,
          isNumeric: holds === 'percent',
        })),
        rows: rows.map((row) => ({
          cells: SUBSTANCES_FILE.columns.map(({ field }) => row[field as keyof ShownRowDto]),
        })),
      },
    ],
    notes: [],
    isTakenBack: true,
  };
}
