/** The name of a phase that a table does not name. */
export const ONLY_PHASE = '配方';

/** Cells that stand for what is missing to 100, or to the amount that they name: the balance line. */
export const BALANCE =
  /^(?:(?:q\.?\s*[sb]\.?\s*p?\.?\s*|c\.?\s*[sb]\.?\s*p\.?\s*|balance\s*|rest\s*|up\s*|add\s*|top\s*up\s*|(?:to\s*)?make(?:\s*up)?\s*|全量を\s*|合[计計]\s*)?(?:ad|a|à|to|zu|auf|bis|pour|do|до|至|到|补|补至|补足至|补足到|補足|補足至|加至|加到|定容至|q\.?\s*s\.?\s*p?\.?|c\.?\s*s\.?\s*p\.?|(?<=make\s)|(?<=全量を))\s*(?<total>\d+(?:[.,]\d{1,2}|\.\d+)?)\s*(?<sign>%|kg|g|千克|公斤|克)?(?:\s*とする)?|100\s*%?\s*-\s*(?:rest|σ|sum|others)|[qc]\.?\s*s\.?(?:\s*p\.?)?|[余餘残剩]\s*[量余部分]|其余|余下|余|补足|補足|补足余量|bal\.?|balance|rest(?:lich)?|remainder|reste|resto|reszta|остаток|остальное)$/i;

/** A row with nothing else begins a phase: `A相：水相`, `Phase B (oils)`. */
export const PHASE_ROW =
  /^(?:phase|part|fase|teil)\s*[a-z\d]{1,2}(?![a-z\d])|^[a-z\d]{1,2}\s*[相组]|^(?:water|oil|aqueous|cooling|fat|wasser|öl|fett)\s*-?phase|^[水油粉]相/i;

/** A row with nothing else is a note of the sheet's author. */
export const NOTE_ROW =
  /^(?:备注|注意?|说明|制表|审核|批准|配方[员师]|日期|工艺|操作|notes?|remarks?|bemerkung(?:en)?|hinweise?|date|datum|signature|erstellt|geprüft)\s*\d*\s*[:：.]|^(?:prepared|approved|checked) by\b/i;

/** A heading or a unit that says kilograms. */
export const KILOGRAM_UNIT = /kg|kilo|千克|公斤/i;

/** A heading that says millilitres, and one that says litres: neither is `μL` or `微升`. */
export const MILLILITER_UNIT = /(?<![a-z])(?:ml|millilit(?:er|re)s?)(?![a-z])|毫升/i;
export const LITER_UNIT = /(?<![a-zμ])(?:l|lit(?:er|re)s?)(?![a-z])|(?<![毫微厘分百])升/i;

/** A row with nothing else than this in the column of phases begins one. */
export const PHASE_LETTER = /^(?:[a-z\d]{1,2}|[甲乙丙丁戊]|[一二三四五六七八九十])$/i;
