import type { Column, DocumentLanguage, LabDocument } from '../../documents/document';
import type { ExportedSubstancesDto, ShownRowDto } from './raw-material.dto';
import { SUBSTANCES_WORDS } from './substances.words';

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
  const words = SUBSTANCES_WORDS[language];
  return {
    title: words.title,
    fileName: words.fileName,
    facts: [[words.rows, rows.length]],
    tables: [
      {
        title: words.substances,
        columns: COLUMNS.map((title): Column => ({ title, isNumeric: NUMBERS.includes(title) })),
        rows: rows.map((row) => ({ cells: COLUMNS.map((column) => row[column]) })),
      },
    ],
    notes: [],
    isTakenBack: true,
  };
}
