const TOTAL = String.raw`(?:grand\s?|sum\s)?(?:total(?:s|t|[ei])?|totaal|sum(?:m[ae]|a)?|somme|(?:ins)?gesamt(?:menge|summe|gewicht)?|razem|łącznie|celkem|součet|összesen|yhteensä|toplam|итого|всего|сумма)(?!\p{L})|check(?:\s?sum)?(?!\p{L})|(?:prüf|kontroll)summe(?!\p{L})|Σ|合\s?[计計]|[总總]\s?[计計和量重]|[共累]\s?[计計]|[计計](?!\p{L})`;
const PART = String.raw`(?:sub|zwischen|teil|sous|parti[ae]l)\s?-?\s?(?:totals?|total[ei]|sum(?:m[ae])?|somme)(?!\p{L})|(?:suma częściowa|промежуточный итог)(?!\p{L})|小\s?[计計]`;
const PHASE = String.raw`(?:(?:phase|fase|faza|teil)(?:\s*(?:[a-z]\d{0,2}|\d{1,2}))?(?!\p{L})|[a-z]+[\s-]phase(?!\p{L})|[a-z]\d?\s?相|\p{Script=Han}{1,5}相|[a-h]\d?(?![\p{L}\d]))`;
/** A phase is named before or behind the word: the sum of its lines only. */
const OF_A_PHASE = String.raw`${PHASE}\s*(?:[:：-]\s*)?(?:${PART}|${TOTAL})|(?:${TOTAL})\s*(?:of\s*|der\s*|de la\s*)?${PHASE}`;

/** Words for a sub-total, and for any sum, in the languages of formula sheets: regular expressions, flags `iu`. */
export const SUBTOTAL = String.raw`(?:${OF_A_PHASE}|${PART})`;
export const SUM = String.raw`(?:${SUBTOTAL}|${TOTAL})`;

const OF = String.raw`(?:formula(?:tion)?|rezeptur|recipe|batch|weight|gewicht|amount|menge|mass|quantity|qty|percent(?:age)?|ingredients?|g[eé]n[eé]ral|w/w|wt|[km]?g|grams?)(?!\p{L})|配方|批量|投料|原料|本页|各相|全部|重量|用量|数量|百分比|千?克|公斤|量`;
const ANY_PHASE = String.raw`[\p{L}\d+&、, ]{0,20}(?:phase|fase|faz[ay]|фаза|相)[\s:]*[\p{L}\d]{0,12}|[a-hа-е](?:\s*[+&、和及]\s*[a-h])*(?!\p{Script=Latin})`;
const SUM_CELL = new RegExp(
  String.raw`^\P{L}{0,5}(?:(?:(?:${OF})\s*|(?:${ANY_PHASE})\s*)?${SUM}(?:\s*(?:of|der|de la)?\s*(?:${ANY_PHASE}))?(?:${OF}|[^\p{L}])*|100(?:[.,]0+)?\s*%?)$`,
  'iu',
);

/** Returns true for a cell with nothing but a word for a sum, what it is the sum of, and its number. */
export const isSum = (cell: string): boolean => cell.length <= 60 && SUM_CELL.test(cell);
