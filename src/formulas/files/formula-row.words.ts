/** The name of a phase that a table does not name. */
export const ONLY_PHASE = '配方';

/** Cells that stand for what is missing to 100, or to the amount that they name: the balance line. */
export const BALANCE =
  /^(?:(?:q\.?\s*[sb]\.?\s*p?\.?\s*|balance\s*|up\s*|add\s*)?(?:ad|a|to|zu|auf|pour|至|到|补|补至|补到|补足至|补足到|加至|加到|q\.?\s*s\.?\s*p?\.?)\s*(?<total>\d+(?:\.\d+)?)\s*(?<sign>%|kg|g|千克|公斤|克)?|q\.?\s*s\.?|余量|餘量|补足|補足|补足余量|bal\.?|balance|rest)$/i;

/** A row with nothing else begins a phase: `A相：水相`, `Phase B (oils)`. */
export const PHASE_ROW =
  /^(?:phase|part|fase|teil)\s*[a-z\d]{1,2}(?![a-z\d])|^[a-z\d]{1,2}\s*[相组]|^(?:water|oil|aqueous|cooling|fat|wasser|öl|fett)\s*-?phase|^[水油粉]相/i;

/** A row with nothing else is a note of the sheet's author. */
export const NOTE_ROW =
  /^(?:备注|注意?|说明|制表|审核|批准|配方[员师]|日期|工艺|操作|notes?|remarks?|bemerkung(?:en)?|hinweise?|date|datum|signature|erstellt|geprüft)\s*\d*\s*[:：.]|^(?:prepared|approved|checked) by\b/i;

/** A heading or a unit that says kilograms. */
export const KILOGRAM_UNIT = /kg|kilo|千克|公斤/i;

/** A row with nothing else than this in the column of phases begins one. */
export const PHASE_LETTER = /^(?:[a-z\d]{1,2}|[甲乙丙丁戊]|[一二三四五六七八九十])$/i;
