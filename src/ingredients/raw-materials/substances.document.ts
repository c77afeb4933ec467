import type { Column, DocumentLanguage, LabDocument } from '../../documents/document';
import type { ExportedSubstancesDto, ShownRowDto } from './raw-material.dto';
import { defineTexts } from '../../platform/texts/define-texts';

/** The headings of the columns are the fields, which an import takes back. */
const substancesTexts = defineTexts({
  'substances.title': ['原料组成', 'Raw material compositions'],
  'substances.file-name': ['原料组成', 'compositions'],
  'substances.table': ['物质', 'Substances'],
  'substances.rows': ['行数', 'Rows'],
});

const NUMBERS = ['percentage', 'minPercentage', 'maxPercentage'];

const COLUMNS = [
  'ingredientId',
  'ingredient',
  'supplier',
  'inciName',
  'chineseName',
  'casNumber',
  'ecNumber',
  'percentage',
  'minPercentage',
  'maxPercentage',
  'role',
] as const satisfies readonly (keyof ShownRowDto)[];

export function substancesDocument({ rows }: ExportedSubstancesDto, language: DocumentLanguage): LabDocument {
  const t = substancesTexts.in(language);
  return {
    title: t('substances.title'),
    fileName: t('substances.file-name'),
    facts: [[t('substances.rows'), rows.length]],
    tables: [
      {
        title: t('substances.table'),
        columns: COLUMNS.map((title): Column => ({ title, isNumeric: NUMBERS.includes(title) })),
        rows: rows.map((row) => ({ cells: COLUMNS.map((column) => row[column]) })),
      },
    ],
    notes: [],
    isTakenBack: true,
  };
}
