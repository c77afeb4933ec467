/** The words of the export. The headings of its columns are the fields, which an import takes back. */
export const SUBSTANCES_WORDS = {
  zh: { title: '原料组成', fileName: '原料组成', substances: '物质', rows: '行数' },
  en: {
    title: 'Raw material compositions',
    fileName: 'compositions',
    substances: 'Substances',
    rows: 'Rows',
  },
} as const;
