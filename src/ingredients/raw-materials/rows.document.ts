import { type DocumentLanguage, type LabDocument, tableOf } from '../../documents/document';
import type { ImportColumn } from '../../files/mapping/file-column';
import { defineTexts } from '../../platform/texts/define-texts';

const rowsTexts = defineTexts({
  'substances.title': ['原料组成', 'Raw material compositions'],
  'substances.file-name': ['原料组成', 'compositions'],
  'substances.table': ['物质', 'Substances'],
  'cards.title': ['供应商价格', 'Prices of suppliers'],
  'cards.file-name': ['供应商价格', 'prices'],
  'cards.table': ['价格', 'Prices'],
  'rows.rows': ['行数', 'Rows'],
});

/** Rows that an import takes back. The headings of the columns are the fields. */
export function rowsDocument<Row extends object>(
  kind: 'substances' | 'cards',
  columns: readonly ImportColumn[],
  rows: readonly Row[],
  language: DocumentLanguage,
): LabDocument {
  const t = rowsTexts.in(language);
  return {
    title: t(`${kind}.title`),
    fileName: t(`${kind}.file-name`),
    facts: [[t('rows.rows'), rows.length]],
    tables: [
      tableOf(
        t(`${kind}.table`),
        columns.map(({ field, holds }) => ({
          title: field,
          isNumeric: holds === 'percent' || holds === 'number',
          cell: (row: Row) => row[field as keyof Row] as string | number | null,
        })),
        rows,
      ),
    ],
    notes: [],
    isTakenBack: true,
  };
}
