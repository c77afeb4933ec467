import { type Cell, type DocumentLanguage, type LabDocument, tableOf } from '../../documents/document';
import type { ImportColumn } from '../../files/mapping/file-column';
import { defineTexts } from '../../platform/texts/define-texts';

const rowsTexts = defineTexts({
  'substances.title': ['原料组成', 'Raw material compositions'],
  'substances.file-name': ['原料组成', 'compositions'],
  'substances.table': ['物质', 'Substances'],
  'cards.title': ['原料卡片', 'Raw-material cards'],
  'cards.file-name': ['原料卡片', 'cards'],
  'cards.table': ['卡片', 'Cards'],
  'rows.rows': ['行数', 'Rows'],
});

/** The value of a field, also of one in an object: `supplier.name`. */
function valueAt(row: object, field: string): Cell {
  const inner = (value: unknown, name: string) =>
    (value as Record<string, unknown> | null | undefined)?.[name];
  const value = field.split('.').reduce(inner, row);
  return typeof value === 'boolean' ? `${value}` : ((value as Cell | undefined) ?? null);
}

/** Makes documents of rows that an import takes back. The headings of the columns are the fields. */
export const rowsDocument =
  (kind: 'substances' | 'cards', columns: readonly ImportColumn[]) =>
  ({ rows }: { rows: readonly object[] }, language: DocumentLanguage): LabDocument => {
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
            isNumeric: holds === 'percent' || holds === 'number' || holds === 'price',
            cell: (row: object) => valueAt(row, field),
          })),
          rows,
        ),
      ],
      notes: [],
      isTakenBack: true,
    };
  };
