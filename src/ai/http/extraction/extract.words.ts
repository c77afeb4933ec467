/** The name of a phase that the text does not name. */
export const UNNAMED_PHASE = '未分相';
