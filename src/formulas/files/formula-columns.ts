/** Columns of formula files, a row for each line. */
export const FORMULA_COLUMNS = [
  'formulaId',
  'formula',
  'project',
  'description',
  'version',
  'versionDescription',
  'phase',
  'phaseOrder',
  'ingredientId',
  'inciName',
  'chineseName',
  'supplier',
  'percentage',
  'processNotes',
] as const;

export type FormulaColumn = (typeof FORMULA_COLUMNS)[number];
