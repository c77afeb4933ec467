/** The name of a phase that a table does not name. */
export const ONLY_PHASE = '配方';

/** Cells that stand for what is missing to 100: the balance line. */
export const BALANCE =
  /^(?:(?:q\.?\s*s\.?\s*)?(?:ad|to|zu|至|补至|补足至|加至|q\.?s\.?)\s*100(?:\.0*)?\s*[%g]?|q\.?\s*s\.?|余量|餘量|补足|補足|补足余量|balance|rest)$/i;

/** First cells of a row that has the sum, not a line. */
export const SUM_ROW = /^(?:合计|合計|总计|總計|总和|小计|total|sum|summe|subtotal)[:：]?$/i;
